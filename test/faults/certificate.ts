import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate and its key, PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate for 127.0.0.1, ::1 and localhost that signs itself, valid from yesterday on for 30 days. */
export function selfSigned(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
  const name = sequence(set(sequence(oid('550403'), der(0x0c, Buffer.from('loopback')))));
  const day = 24 * 3600 * 1000;
  const subjectNames = sequence(
    der(0x82, Buffer.from('localhost')),
    der(0x87, Buffer.from([127, 0, 0, 1])),
    der(0x87, Buffer.from(`${'00'.repeat(15)}01`, 'hex')),
  );
  const isAuthority = sequence(der(0x01, Buffer.from([0xff])));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(Date.now() - day), time(Date.now() + 29 * day)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        sequence(oid('551d11'), der(0x04, subjectNames)),
        sequence(oid('551d13'), der(0x01, Buffer.from([0xff])), der(0x04, isAuthority)),
      ),
    ),
  );
  const signature = sign('sha256', body, privateKey);
  const whole = sequence(body, ecdsaWithSha256, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
  };
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const header =
    length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(header), content]);
}

const sequence = (...contents: readonly Buffer[]): Buffer => der(0x30, ...contents);
const set = (...contents: readonly Buffer[]): Buffer => der(0x31, ...contents);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const time = (at: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));
