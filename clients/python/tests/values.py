"""Values of every family, for the tests beside."""
import datetime as dt
import math
import uuid

EPOCH = dt.datetime(2000, 1, 1)
LAST = 86400 * 1000000


def zone(i):
    return dt.timezone(dt.timedelta(minutes=30 * (i % 9) - 120, seconds=i % 60))


# family: its type in SQL, the i-th of its values, and the family to be named if Python's type does not tell
FAMILIES = {
    'integer': ('int8', lambda i: [0, -1, 2**63 - 1, -2**63][i] if i < 4 else (i - 900) * 7919**3 + 1, None),
    'text': ('text', lambda i: ['', ' ', 'Zoë ', '\U0001F40D'][i] if i < 4 else f'välue {i * 7919}', None),
    'bpchar': ('char(12)', lambda i: f'ü{i * 7919}'.ljust(12), 'bpchar'),
    'float': ('float8', lambda i: [-0.0, math.nan, math.inf, -math.inf, 5e-324][i] if i < 5 else (2 * i - 1799) / 14,
              None),
    'boolean': ('bool', lambda i: i % 2 == 0, None),
    'date': ('date', lambda i: [dt.date.min, dt.date.max][i] if i < 2 else
             (EPOCH + dt.timedelta((i - 900) * 79)).date(), None),
    'time': ('time', lambda i: [dt.time.min, dt.time.max][i] if i < 2 else
             (EPOCH + dt.timedelta(microseconds=i * 7919**2 % LAST)).time(), None),
    'timestamp': ('timestamp', lambda i: [dt.datetime.min, dt.datetime.max][i] if i < 2 else
                  EPOCH + dt.timedelta(microseconds=(i - 900) * 7919**3), None),
    'timestamptz': ('timestamptz', lambda i: (EPOCH + dt.timedelta(microseconds=(i - 900) * 7919**3)).replace(
        tzinfo=zone(i)), None),
    'uuid': ('uuid', lambda i: uuid.UUID(int=i * 7919**9), None),
    'bytea': ('bytea', lambda i: bytes([i & 255, i >> 8]) * (i % 50), None),
    'oid': ('oid', lambda i: 2**32 - 1 - i * 7919, 'oid'),
    '"char"': ('"char"', lambda i: chr(i % 127 + 1), '"char"'),
}


def values(family, first, last):
    """The values of those numbers, without those that PostgreSQL calls equal to one before."""
    return [FAMILIES[family][1](i) for i in range(first, last)]
