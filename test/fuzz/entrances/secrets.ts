import { parseClientCertificate } from '../../../engine/credentials/certificate';
import { CredentialValues } from '../../../engine/credentials/credential-values';
import { CredentialError } from '../../../engine/credentials/types';
import { redact } from '../../../engine/redact';
import { TEXT_LIMITS, truncate } from '../../../engine/text-limits';
import { struct } from '../../../src/util/records';
import { selfSigned } from '../../engine/credentials/certificates';
import type { Random } from '../../simulation/random';
import type { Entrance } from '../entrance';
import { mutate, mutateText } from '../mutate';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const GUID = '11111111-2222-3333-4444-555555555555';
let certificate: { readonly pem: string; readonly pkcs12: Buffer } | undefined;

/** Made once: keys take a second. */
function sound(): NonNullable<typeof certificate> {
  if (!certificate) {
    const made = selfSigned();
    certificate = { pem: made.certificate + made.key, pkcs12: made.pkcs12('secret') };
  }
  return certificate;
}

function damaged(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  for (let count = random.between(1, 8); count > 0; count -= 1) copy[random.between(0, copy.length - 1)] = random.between(0, 255);
  return random.chance(0.2) ? copy.subarray(0, random.between(0, copy.length)) : copy;
}

export const secretEntrances: readonly Entrance[] = [
  {
    name: 'credential-secret',
    make: (random) => {
      const data = {
        AZURE_SUBSCRIPTION_ID: GUID,
        AZURE_TENANT_ID: GUID,
        AZURE_CLIENT_ID: GUID,
        AZURE_CLIENT_SECRET: 'hunter22',
        AZURE_ADDITIONAL_TENANTS: `${GUID},x`,
        AUTH_MODE: 'podidentity',
      };
      return mutate(data, {}, random);
    },
    enter: (input) => {
      const data = Object.fromEntries(
        Object.entries(struct(input) ?? {}).map(([key, value]) => [
          key,
          base64(typeof value === 'string' ? value : String(JSON.stringify(value))),
        ]),
      );
      const values = CredentialValues.ofSecret({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'n' }, data }, 'n/s');
      values.guid('AZURE_SUBSCRIPTION_ID');
      values.tenant();
      values.secret('AZURE_CLIENT_SECRET');
      values.list('AZURE_ADDITIONAL_TENANTS', ',');
    },
    expected: (error) => error instanceof CredentialError,
  },
  {
    name: 'certificate',
    make: (random) => {
      const { pem, pkcs12 } = sound();
      const content = random.chance(0.5) ? Buffer.from(mutateText(pem, random)) : damaged(pkcs12, random);
      return { content: content.toString('base64'), password: random.pick(['secret', '', 'wrong']) };
    },
    enter: (input) => {
      const { content, password } = input as { content: string; password: string };
      return parseClientCertificate(Buffer.from(content, 'base64'), password, 'credential Secret "n/s": key "K"');
    },
    expected: (error) => error instanceof CredentialError,
  },
  {
    name: 'redaction',
    make: (random) => {
      const secrets = [1, 2].map(() => mutateText('hunter2~hunter2 hunter2', random));
      const text = `HTTP 400: ${mutateText(`{"error":{"message":"value ${secrets[0]} eyJhbGciOi.eyJzdWIi.c2ln Bearer abcdefghijklmnopqrstuvwx -----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----"}}`, random)}`;
      return { text, secrets };
    },
    enter: (input) => {
      const { text, secrets } = input as { text: string; secrets: string[] };
      return redact(truncate(text, TEXT_LIMITS.message), secrets);
    },
  },
];
