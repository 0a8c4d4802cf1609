import forge from 'node-forge';
import type { KubernetesObject } from '../../engine/kubernetes';
import { repeated } from '../shared/repeated';

const GROUP = 'resources.azure.com/v1api20200601';
const NETWORK = 'network.azure.com/v1api20201101';
const STORAGE = 'storage.azure.com/v1api20230101';
const LOCATION = 'uksouth';

/** A nest of comprehensions over the object's tags: its cost is a power of their number. */
const NESTED =
  'self.spec.tags.map(a, self.spec.tags.map(b, self.spec.tags.map(c, self.spec.tags.map(d, a + b + c + d)))).size() > 0 ? "x" : "y"';
/** Exponential for an engine that tries again. */
const PATTERN = `'${'a'.repeat(40)}!'.matches('^(a+)+$') ? 'x' : 'y'`;
const DOUBLING = `${'['.repeat(30)}self.metadata.name${']'.repeat(30)}.size() > 0 ? "${'x'.repeat(2_000)}" : ""`;
const EXPRESSIONS = [NESTED, PATTERN, DOUBLING, `${'('.repeat(4_000)}self.metadata.name${')'.repeat(4_000)}`, "'x' + 'y' * 100000000"];
const NAMES = [
  '%2e%2e',
  '..',
  'a/../../b',
  'x?y=z',
  'x#y',
  'a\\b',
  'x\u0000y',
  '\u202ex',
  `${'n'.repeat(5_000)}`,
  '../../../providers/Microsoft.Storage',
];

function object(
  apiVersion: string, kind: string, namespace: string, name: string, spec: object, annotations?: Record<string, string>,
): KubernetesObject {
  return { apiVersion, kind, metadata: { name, namespace, ...(annotations ? { annotations } : {}) }, spec } as KubernetesObject;
}

const tags = (count: number, length: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, 'v'.repeat(length)]));

/** A PKCS#12 file whose key is derived in so many rounds, in a few kilobytes. */
function slowPkcs12(rounds: number): string {
  const keys = forge.pki.rsa.generateKeyPair(1024);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = keys.publicKey;
  certificate.setSubject([{ name: 'commonName', value: 'x' }]);
  certificate.setIssuer([{ name: 'commonName', value: 'x' }]);
  certificate.sign(keys.privateKey, forge.md.sha256.create());
  // The rounds are made up afterwards: making the file would take as long as reading it.
  const made = forge.asn1
    .toDer(forge.pkcs12.toPkcs12Asn1(keys.privateKey, [certificate], 'secret', { algorithm: '3des', count: 2_048 }))
    .getBytes();
  const integer = (value: number) => {
    const digits = forge.asn1.integerToDer(value).getBytes();
    return `\u0002${String.fromCharCode(digits.length)}${digits}`;
  };
  return Buffer.from(made.replaceAll(integer(2_048), integer(rounds)), 'binary').toString('base64');
}

/** The Secrets that hostile objects name. */
export function hostileSecrets(namespace: string, count: number): KubernetesObject[] {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const pkcs12 = slowPkcs12(32_767);
  return Array.from({ length: count }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `certificate-${index}`, namespace },
    data: {
      AZURE_SUBSCRIPTION_ID: base64('5b000000-0000-4000-8000-000000000000'),
      AZURE_TENANT_ID: base64('11111111-2222-3333-4444-555555555555'),
      AZURE_CLIENT_ID: base64('11111111-2222-3333-4444-555555555555'),
      AZURE_CLIENT_CERTIFICATE: index % 2 === 0 ? pkcs12 : base64('-----BEGIN PRIVATE KEY-----\n'.repeat(30_000).slice(0, 700_000)),
      AZURE_CLIENT_CERTIFICATE_PASSWORD: base64('secret'),
    },
  } as KubernetesObject));
}

/** So many objects of one namespace that do their worst, a fifth of each sort. */
export function hostileObjects(namespace: string, count: number): KubernetesObject[] {
  const sorts: ((index: number) => KubernetesObject)[] = [
    (index) =>
      object(GROUP, 'ResourceGroup', namespace, `expression-${index}`, {
        location: LOCATION,
        tags: tags(200, 10),
        operatorSpec: { configMapExpressions: [{ name: `out-${index}`, key: 'k', value: EXPRESSIONS[index % EXPRESSIONS.length] }] },
      }),
    (index) =>
      object(
        GROUP,
        'ResourceGroup',
        namespace,
        `certificate-${index}`,
        { location: LOCATION },
        { 'serviceoperator.azure.com/credential-from': `certificate-${index % 10}` },
      ),
    (index) => object(GROUP, 'ResourceGroup', namespace, `name-${index}`, { location: LOCATION, azureName: NAMES[index % NAMES.length] }),
    (index) =>
      object(NETWORK, 'VirtualNetwork', namespace, `list-${index}`, {
        location: LOCATION,
        owner: { name: 'home' },
        addressSpace: { addressPrefixes: Array.from({ length: 10_000 }, (_, at) => `10.${Math.floor(at / 256)}.${at % 256}.0/24`) },
      }),
    (index) =>
      object(STORAGE, 'StorageAccount', namespace, `large-${index}`, {
        location: LOCATION,
        owner: { name: 'home' },
        azureName: `large${index}`,
        kind: 'StorageV2',
        sku: { name: 'Standard_LRS' },
        tags: tags(900, 900),
      }),
  ];
  return repeated(sorts, count).map((make, index) => make(index));
}

export const groupOf = (namespace: string, name: string): KubernetesObject =>
  object(GROUP, 'ResourceGroup', namespace, name, { location: LOCATION });
