import { install, type Manifest } from './app';
import { OperatorMode, Webhooks } from '../../src/operator';

/** Schemas are the business of test/catalog/crd; an environment variable is a line. */
function withoutSchemas(manifests: readonly Manifest[]): unknown {
  return JSON.parse(JSON.stringify(manifests, (key, value: any) => {
    if (key === 'openAPIV3Schema' || key === 'additionalPrinterColumns') return '…';
    return key === 'env' ? value.map(line) : value;
  }));
}

function line({ name, value, valueFrom }: { name: string; value?: string; valueFrom?: any }): string {
  if (valueFrom?.fieldRef) return `${name} = ${valueFrom.fieldRef.fieldPath}`;
  if (!valueFrom) return `${name} = '${value}'`;
  const { secretKeyRef: { name: secret, key, optional } } = valueFrom;
  return `${name} = ${secret}/${key}${optional ? '?' : ''}`;
}

test('the installation of an app with two kinds', () => {
  expect(withoutSchemas(install().synth())).toMatchSnapshot();
});

test('with cert-manager', () => {
  expect(withoutSchemas(install({ webhooks: Webhooks.certManager() }).synth())).toMatchSnapshot();
});

test('a tenant\'s part: watchers of two namespaces', () => {
  const { synth } = install({ namespace: 'tenant-a-system', mode: OperatorMode.WATCHERS, settings: { targetNamespaces: ['a', 'b'] } });
  expect(withoutSchemas(synth())).toMatchSnapshot();
});

test('the shared part: webhooks', () => {
  expect(withoutSchemas(install({ mode: OperatorMode.WEBHOOKS }).synth())).toMatchSnapshot();
});
