import forge from 'node-forge';
import { selfSigned } from '../../engine/credentials/certificates';
import type { Attack } from '../attack';
import { VERSIONS, type HostileEnvironment } from '../hostile-environment';

const CREDENTIAL = 'serviceoperator.azure.com/credential-from';
const ID = '11111111-2222-3333-4444-555555555555';

/** Resource groups whose export is an expression, `count` of them in one namespace. */
async function groupsWith(
  environment: HostileEnvironment, value: string, { count = 1, spec = {} }: { readonly count?: number; readonly spec?: object } = {},
): Promise<void> {
  await environment.namespace('tenant');
  for (let index = 0; index < count; index += 1) {
    const operatorSpec = { configMapExpressions: [{ name: `out-${index}`, key: 'k', value }] };
    await environment.object('tenant', 'ResourceGroup', `bad-${index}`, { location: 'uksouth', operatorSpec, ...spec });
  }
}

const failed =
  (text: string) =>
    ({ status, message = '' }: { status: string; message?: string }) =>
      status === 'False' && message.includes(text);

/** An object whose credential is a certificate. */
async function certificate(environment: HostileEnvironment, content: string, password?: string): Promise<void> {
  await environment.namespace('tenant');
  const ids = { AZURE_SUBSCRIPTION_ID: ID, AZURE_TENANT_ID: ID, AZURE_CLIENT_ID: ID };
  await environment.secret('tenant', 'cert', {
    ...ids,
    AZURE_CLIENT_CERTIFICATE: content,
    ...(password ? { AZURE_CLIENT_CERTIFICATE_PASSWORD: password } : {}),
  });
  await environment.object('tenant', 'ResourceGroup', 'bad', { location: 'uksouth' }, { annotations: { [CREDENTIAL]: 'cert' } });
}

/** PKCS#12 with 2³¹ - 1 iterations. */
function costlyPkcs12(): string {
  const { key, certificate: pem } = selfSigned('tenant');
  const options = { algorithm: '3des', count: 0x7fff } as { algorithm: '3des' };
  const store = forge.pkcs12.toPkcs12Asn1(forge.pki.privateKeyFromPem(key), [forge.pki.certificateFromPem(pem)], 'pw', options);
  const hex = Buffer.from(forge.asn1.toDer(store).getBytes(), 'binary').toString('hex');
  return Buffer.from(hex.replace(/0408([0-9a-f]{12})[0-9a-f]{4}02027fff/g, '0406$102047fffffff'), 'hex').toString('base64');
}

const nested = (depth: number) => `string(size(${'self.spec.tags.map(x, '.repeat(depth)}1${')'.repeat(depth)}))`;
const tags = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`t${index}`, 'x']));

/** Expressions, certificates and large objects. */
export const tenantsCode: readonly Attack[] = [
  {
    id: 'pattern-that-tries-again-and-again',
    who: 'a tenant',
    what: 'writes regular expressions that JavaScript matches in exponential time, in 20 objects',
    holds: 'each is matched in linear time; the objects are Ready',
    async run(environment) {
      await groupsWith(environment, `"${'a'.repeat(200)}b".matches("^(a|a)*$") ? "a" : "b"`, { count: 20 });
      for (let index = 0; index < 20; index += 1) await environment.isReady('ResourceGroup', 'tenant', `bad-${index}`);
    },
  },
  {
    id: 'pattern-with-a-large-program',
    who: 'a tenant',
    what: 'matches a pattern of thousands of instructions with a text of thousands of characters',
    holds: 'a condition says that the expression costs too much',
    async run(environment) {
      await groupsWith(environment, `"${'a'.repeat(9000)}".matches("(?:a?){500}(?:a?){500}b") ? "a" : "b"`);
      await environment.becomes('ResourceGroup', 'tenant', 'bad-0', failed('steps together'));
    },
  },
  {
    id: 'comprehensions-in-comprehensions',
    who: 'a tenant',
    what: 'nests five comprehensions over its 50 tags, in 60 objects',
    holds: 'each object has a condition that says so',
    async run(environment) {
      await groupsWith(environment, nested(5), { count: 60, spec: { tags } });
      for (let index = 0; index < 60; index += 1) {
        await environment.becomes('ResourceGroup', 'tenant', `bad-${index}`, failed('steps together'));
      }
    },
  },
  {
    id: 'text-that-doubles',
    who: 'a tenant',
    what: 'doubles a text sixty times',
    holds: 'a condition says that the text is too long; memory stays',
    async run(environment) {
      await groupsWith(environment, `["x"]${'.map(a, a + a)'.repeat(60)}[0]`);
      await environment.becomes('ResourceGroup', 'tenant', 'bad-0', failed('longer than'));
    },
  },
  {
    id: 'expression-of-one-megabyte',
    who: 'a tenant',
    what: 'writes an expression of 1 MB',
    holds: 'a condition says that it is too long, in a short message',
    async run(environment) {
      await groupsWith(environment, `"${'x'.repeat(1_000_000)}"`);
      const { message = '' } = await environment.becomes('ResourceGroup', 'tenant', 'bad-0', failed('longer than 16384 characters'));
      expect(message.length).toBeLessThan(2_000);
    },
  },
  {
    id: 'thousands-of-expressions',
    who: 'a tenant',
    what: 'writes 3,000 expressions in one object, each another one',
    holds: 'nothing of it holds up others',
    async run(environment) {
      await environment.namespace('tenant');
      const value = (index: number) => `["${index}"].map(a, a + "${index}").map(b, b)[0]`;
      const configMapExpressions = Array.from({ length: 3_000 }, (_, index) => ({
        name: `out-${index % 10}`,
        key: `k${index}`,
        value: value(index),
      }));
      await environment.object('tenant', 'ResourceGroup', 'bad', { location: 'uksouth', operatorSpec: { configMapExpressions } });
      await environment.becomes('ResourceGroup', 'tenant', 'bad', ({ status }) => status !== 'Unknown');
    },
  },
  {
    id: 'pkcs12-with-two-billion-iterations',
    who: 'a tenant',
    what: 'puts PKCS#12 with 2,147,483,647 iterations into the Secret of a credential',
    holds: 'a condition names the Secret and the reason; nothing is derived',
    async run(environment) {
      await certificate(environment, costlyPkcs12(), 'pw');
      await environment.becomes('ResourceGroup', 'tenant', 'bad', failed('more than 1000000 iterations'));
      expect(environment.writes('/resourcegroups/bad')).toEqual([]);
    },
  },
  {
    id: 'pem-of-beginnings',
    who: 'a tenant',
    what: 'puts 440 KB of `-----BEGIN ` into the Secret of a credential',
    holds: 'a condition says that it is too large',
    async run(environment) {
      await certificate(environment, '-----BEGIN '.repeat(40_000));
      await environment.becomes('ResourceGroup', 'tenant', 'bad', failed('larger than 256 KiB'));
    },
  },
  {
    id: 'chain-of-hundreds',
    who: 'a tenant',
    what: 'puts a chain of 200 certificates into the Secret of a credential',
    holds: 'a condition says how many are read',
    async run(environment) {
      const { key, certificate: pem } = selfSigned('tenant');
      await certificate(environment, key + pem.repeat(200));
      await environment.becomes('ResourceGroup', 'tenant', 'bad', failed('200 certificates; 20 are read at most'));
    },
  },
  {
    id: 'certificate-that-is-right',
    who: 'a tenant',
    what: 'uses a certificate as it should be',
    holds: 'it is read in a worker thread, and the sign-in is tried with it',
    async run(environment) {
      const { key, certificate: pem } = selfSigned('tenant');
      await certificate(environment, key + pem);
      await environment.becomes(
        'ResourceGroup',
        'tenant',
        'bad',
        ({ message = '' }) => !message.includes('is being read') && !message.includes('cannot be read'),
      );
    },
  },
  {
    id: 'spec-that-nests-thousands-of-levels',
    who: 'a tenant',
    what: 'nests lists 3,000 levels deep where a list of expressions is expected, and objects where a location is, without a schema in the way',
    holds: 'conditions name the place; the controller goes on',
    environment: { openSchemas: true },
    async run(environment) {
      await environment.namespace('tenant');
      const deep = (open: string, close: string) => JSON.parse(`${open.repeat(3_000)}1${close.repeat(3_000)}`) as unknown;
      await environment.object('tenant', 'ResourceGroup', 'lists', {
        location: 'uksouth',
        operatorSpec: { configMapExpressions: deep('[', ']') },
      });
      await environment.object('tenant', 'ResourceGroup', 'objects', { location: deep('{"a":', '}') });
      await environment.becomes('ResourceGroup', 'tenant', 'lists', failed('spec.operatorSpec.configMapExpressions'));
      await environment.becomes('ResourceGroup', 'tenant', 'objects', failed('spec.location'));
    },
  },
  {
    id: 'lists-of-ten-thousand-entries',
    who: 'a tenant',
    what: 'writes ten networks with 10,000 prefixes each',
    holds: 'each is sent once, and compared in time by its size',
    environment: { kinds: { VirtualNetwork: VERSIONS.VirtualNetwork! } },
    async run(environment) {
      await environment.namespace('tenant');
      await environment.object('tenant', 'ResourceGroup', 'rg', { location: 'uksouth' });
      const addressPrefixes = Array.from({ length: 10_000 }, (_, index) => `10.${Math.floor(index / 250)}.${index % 250}.0/24`);
      for (let index = 0; index < 10; index += 1) {
        await environment.object('tenant', 'VirtualNetwork', `net-${index}`, {
          location: 'uksouth',
          owner: { name: 'rg' },
          addressSpace: { addressPrefixes },
        });
      }
      for (let index = 0; index < 10; index += 1) {
        await environment.becomes('VirtualNetwork', 'tenant', `net-${index}`, ({ status }) => status !== 'Unknown');
      }
      expect(environment.writes('/virtualnetworks/').length).toBeLessThan(30);
    },
  },
];
