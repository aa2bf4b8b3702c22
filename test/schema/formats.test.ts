import { isIPv6 } from 'node:net';
import { stringFormat } from '../../lib/composition/schema/formats';

const fits = (format: string, text: string): boolean | undefined => stringFormat(format)?.(text);

test.each([
  ...[
    '::',
    '::1',
    '1::',
    '1::8',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
    '::1.2.3.4',
    '1:2:3:4:5:6:1.2.3.4',
  ],
  ...[
    '',
    ':',
    ':::',
    '1',
    '1:2',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '::1::',
    '12345::',
    'g::',
    '1.2.3.4',
    '1.2.3.4::',
  ],
  ...['::1.2.3', '::256.1.1.1', '::01.2.3.4', '1:2:3:4:5:6:7:1.2.3.4', ':1:2:3:4:5:6:7', '1:2:3:4:5:6:7:', ' ::1'],
])('%j is an IPv6 address exactly if Node says so', (text) => {
  expect(fits('ipv6', text)).toBe(isIPv6(text));
});

test.each([
  ['ipv4', '10.0.0.1', true],
  ['ipv4', '10.00.0.01', true],
  ['ipv4', '256.0.0.1', false],
  ['cidr', '10.0.0.0/8', true],
  ['cidr', '10.0.0.0/33', false],
  ['cidr', '::/128', true],
  ['mac', '00:11:22:33:44:55', true],
  ['mac', '00:11:22:33:44', false],
  ['date', '2024-02-29', true],
  ['date', '2023-02-29', false],
  ['date-time', '2024-02-29T12:00:00Z', true],
  ['date-time', '2024-02-29t12:00:00.5+25:99', true],
  ['date-time', '2024-02-29T12:00:60Z', false],
  ['duration', '1h30m', true],
  ['duration', '2 weeks', true],
  ['duration', 'soon', false],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000', true],
  ['uuid4', '123e4567-e89b-12d3-a456-426614174000', false],
  ['isbn', '0321751043', true],
  ['isbn', '978-0321751041', true],
  ['isbn', '0321751044', false],
  ['creditcard', '4111 1111 1111 1111', true],
  ['creditcard', '4111 1111 1111 1112', false],
  ['byte', 'Zm9v', true],
  ['byte', 'Zm9', false],
  ['uri', 'http://a.b/c', true],
  ['uri', '/path', true],
  ['uri', 'path', false],
  ['uri', '/%zz', false],
  ['email', 'a@b.c', true],
  ['email', 'Name <a@b.c>', true],
  ['email', 'a.b.c', false],
  ['hostname', 'a.example', true],
  ['hostname', 'a_b', false],
  ['hexcolor', '#fff', true],
  ['rgbcolor', 'rgb(1, 2, 255)', true],
  ['ssn', '123-45-6789', true],
  ['bsonobjectid', '507f1f77bcf86cd799439011', true],
  ['k8s-short-name', 'a.b', false],
  ['k8s-long-name', 'a.b', true],
])('format %s on %j gives %s', (format, text, result) => {
  expect(fits(format, text)).toBe(result);
});

test('a text that could keep a backtracking matcher busy is checked at once', () => {
  const parts = ['a', '1', '.', '-', ' ', '"', '1.', 'a.', 'a-', ':', '1h', '@', '\\"', 'a@', '%', '['];
  const texts = parts.flatMap((part) => [`${part.repeat(100_000)}!`, `a@${part.repeat(100_000)}!`]);
  const slow = [
    ...['bsonobjectid', 'uri', 'email', 'hostname', 'ipv4', 'ipv6', 'cidr', 'mac', 'uuid', 'isbn', 'creditcard', 'ssn'],
    ...['hexcolor', 'rgbcolor', 'byte', 'date', 'duration', 'date-time', 'k8s-short-name', 'k8s-long-name'],
  ].flatMap((format) => {
    const start = performance.now();
    for (const text of texts) fits(format, text);
    return performance.now() - start < 1_500 ? [] : [format];
  });
  expect(slow).toEqual([]);
});

test('a format that the API server does not know is not checked', () => {
  expect(stringFormat('no-such-format')).toBeUndefined();
  expect(stringFormat('constructor')).toBeUndefined();
});
