# Statements run one after the other in a session of psql, an outcome for each.
#
#	my @outcomes = Session::run($connstr, @statements);
#	my $session = Session::start($connstr, @statements);
#	@outcomes = Session::finish($session);
#	@outcomes = Session::abandon($session);
#
# An outcome has "output", "sqlstate" (00000 if all went well) and "ms".  An
# error does not end the session, so that what comes after it can be tested.
# Commands of psql's own may stand where a statement may; wait_for($file) is one
# that ends when there is such a file.

package Session;

use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Utils;

my $mark = '@@ outcome';
my $patience = 180;

# Through files, so that the session goes on while nobody looks.
sub start
{
	my ($connstr, @statements) = @_;
	my $directory = PostgreSQL::Test::Utils::tempdir_short();
	my %session = (
		wanted => scalar(@statements),
		out => "$directory/out",
		err => "$directory/err");
	my $script = "\\timing on\n";

	foreach my $statement (@statements)
	{
		my $end = $statement =~ /^\\|\\gset/ ? '' : ';';
		$script .= "$statement$end\n\\echo '$mark' :SQLSTATE\n";
	}
	append_to_file("$directory/script", $script);
	$session{harness} = IPC::Run::start(
		[ 'psql', '-X', '-A', '-t', '-q', '-f', "$directory/script", '-d', $connstr ],
		'<', '/dev/null', '>', $session{out}, '2>', $session{err},
		IPC::Run::timeout($patience));
	return \%session;
}

sub outcome
{
	my ($text, $sqlstate) = @_;
	my ($ms) = $text =~ /^Time: ([\d.]+) ms/m;

	$text =~ s/^Time: .*\n//mg;
	chomp $text;
	return { output => $text, sqlstate => $sqlstate, ms => $ms };
}

# What came of the statements so far.
sub outcomes
{
	my ($session) = @_;
	my $out = slurp_file($session->{out});
	my @outcomes;

	push @outcomes, outcome($1, $2) while $out =~ /\G(.*?)^\Q$mark\E (\w+)\n/gms;
	return @outcomes;
}

sub finish
{
	my ($session) = @_;
	my @outcomes;

	$session->{harness}->finish;
	@outcomes = outcomes($session);
	die 'the session ended early: ' . slurp_file($session->{err})
	  if @outcomes < $session->{wanted};
	return @outcomes;
}

# For a session whose server is gone: what it still was told of.
sub abandon
{
	my ($session) = @_;

	$session->{harness}->finish;
	return outcomes($session);
}

sub run
{
	return finish(start(@_));
}

sub wait_for
{
	my ($file) = @_;

	return "\\! while [ ! -e $file ]; do sleep 0.1; done";
}

1;
