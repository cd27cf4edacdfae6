# Scripts, all in one session, each as if it were new: to connect, and to read the
# catalogs again, takes longer than most of what they do.
#
#	my $session = SharedSession->new($node);
#	my $output = $session->run($script);
#
# The output is what safe_psql gives.  Libraries stay loaded, and connections to
# other servers stay open.  psql ends at the first failure, and so does the test,
# also where the connection is lost or there is none.

package SharedSession;

use strict;
use warnings;

use IPC::Run;

my $mark = '@@ done';
my @harnesses;

sub new
{
	my ($class, $node) = @_;
	my %self = (in => '', out => '', err => '', limit => IPC::Run::timeout(180));

	$self{harness} = IPC::Run::start(
		[ 'psql', '-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres') ],
		'<', \$self{in}, '>', \$self{out}, '2>', \$self{err}, $self{limit});
	push @harnesses, $self{harness};
	return bless \%self, $class;
}

sub run
{
	my ($self, $script) = @_;
	my $end = qr/^\Q$mark\E\n/m;

	$self->{limit}->start;
	$self->{$_} = '' foreach ('out', 'err');
	$self->{in} .= "ROLLBACK;\nDISCARD ALL;\n$script\n;\n\\echo '$mark'\n\\warn '$mark'\n";
	until ($self->{out} =~ $end && $self->{err} =~ $end)
	{
		die "$self->{err}in $script" unless $self->{harness}->pumpable;
		$self->{harness}->pump;
	}
	return $self->{out} =~ s/\n?^\Q$mark\E\n//mr;
}

# Before the servers are stopped.
END
{
	my $status = $?;

	$_->kill_kill foreach @harnesses;
	$? = $status;
}

1;
