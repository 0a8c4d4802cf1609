import { Catalog } from '../../../src/catalog';
import { crdManifest } from '../../../src/catalog/crd';
import { caInjection, webhookConfigurations, webhookConversion, webhookPath } from '../../../src/catalog/webhook-configurations';
import { rowTitle } from '../../docs/spec-tables';

const catalog = Catalog.default();
const options = { namespace: 'aso' };
const zone = catalog.kind('network.azure.com', 'DnsZone')!;
const [mutating, validating] = webhookConfigurations([zone], options);
const version = zone.version('v1api20180501')!;

test(rowTitle('docs/spec/webhooks.md#endpoints', 'names', 'as in the example'), () => {
  expect(webhookPath('mutate', version)).toBe('/mutate-network-azure-com-v1api20180501-dnszone');
  expect(webhookPath('validate', version)).toBe('/validate-network-azure-com-v1api20180501-dnszone');
  expect(mutating!.webhooks.map(({ name }) => name)).toContain('default.v1api20180501.dnszones.network.azure.com');
  expect(validating!.webhooks.map(({ name }) => name)).toContain('validate.v1api20180501.dnszones.network.azure.com');
  expect(webhookConversion(options)).toEqual({
    strategy: 'Webhook',
    webhook: {
      conversionReviewVersions: ['v1'],
      clientConfig: { service: { namespace: 'aso', name: 'azureserviceoperator-webhook-service', path: '/convert', port: 443 } },
    },
  });
});
test(rowTitle('docs/spec/webhooks.md#endpoints', 'settings', 'operations, policies, side effects, review version, service'), () => {
  for (const { webhooks } of [mutating!, validating!]) {
    for (const webhook of webhooks) {
      expect(webhook).toMatchObject({ failurePolicy: 'Fail', matchPolicy: 'Exact', sideEffects: 'None', admissionReviewVersions: ['v1'] });
      expect(webhook.rules).toEqual([
        {
          apiGroups: ['network.azure.com'],
          apiVersions: [webhook.name.split('.')[1]],
          operations: ['CREATE', 'UPDATE'],
          resources: ['dnszones'],
        },
      ]);
      expect(webhook.clientConfig.service).toMatchObject({ name: 'azureserviceoperator-webhook-service', namespace: 'aso', port: 443 });
    }
  }
});
test(rowTitle('docs/spec/webhooks.md#endpoints', 'match policy', 'an entry for each served version'), () => {
  const names = ['v1api20180501'];
  expect(webhookConfigurations([zone], { ...options, versions: () => names })[0]?.webhooks).toHaveLength(1);
  expect(mutating!.webhooks).toHaveLength(zone.versionNames.length);
  expect(() => webhookConfigurations([zone], { ...options, versions: () => ['v1'] })).toThrow('there is no version v1; the catalog has');
});
test(rowTitle('docs/spec/webhooks.md#endpoints', 'configurations', 'a pair for each group, and all names are unique'), () => {
  const frontdoor = catalog.kindsOf('network.frontdoor');
  const names = webhookConfigurations([...frontdoor, zone], options).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(names).toEqual([
    'MutatingWebhookConfiguration azureserviceoperator-network-mwh',
    'ValidatingWebhookConfiguration azureserviceoperator-network-vwh',
    'MutatingWebhookConfiguration azureserviceoperator-network.frontdoor-mwh',
    'ValidatingWebhookConfiguration azureserviceoperator-network.frontdoor-vwh',
  ]);
  const all = webhookConfigurations(catalog.allKinds, options);
  expect(all).toHaveLength(2 * catalog.services.length);
  const paths = all.flatMap(({ webhooks }) => webhooks.map(({ clientConfig }) => clientConfig.service.path));
  expect(new Set(paths).size).toBe(paths.length);
});
test(rowTitle('docs/spec/webhooks.md#endpoints', 'certificate', 'an authority, or the annotation of cert-manager'), () => {
  const [injected] = webhookConfigurations([zone], { ...options, certManager: true });
  expect(injected?.metadata.annotations).toEqual({ 'cert-manager.io/inject-ca-from': 'aso/azureserviceoperator-serving-cert' });
  expect([mutating!.metadata.annotations, mutating!.webhooks[0]!.clientConfig.caBundle]).toEqual([undefined, undefined]);
  expect(webhookConfigurations([zone], { ...options, caBundle: 'eA==' })[0]?.webhooks[0]?.clientConfig.caBundle).toBe('eA==');
  const crd = crdManifest(zone, {
    conversion: webhookConversion({ ...options, caBundle: 'eA==' }),
    annotations: caInjection({ ...options, certManager: true }),
  });
  expect(crd.spec.conversion).toMatchObject({ strategy: 'Webhook', webhook: { clientConfig: { caBundle: 'eA==' } } });
  expect(crd.metadata.annotations).toEqual(injected!.metadata.annotations);
});
