// Front Door and DNS of a team in the sandbox's Azure, with the built controller: from the profile to the record of the token.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart } from 'cdk8s';
import { describeWithKubectl, kubectl, startSandbox } from './cluster';
import { applyObjects, buildStore, startComposer } from './composer';
import { dev, ENDPOINT, ledger, ZONE } from './front-door-platform';
import { until } from '../setup/until';
import { cdn, network, resources } from 'cdk8s-aso';
import { DnsRecordType, PlatformCredential, Service, TeamOnboarding } from 'cdk8s-aso/platform';

/** The files of the platform with its shared services, the team and a service. */
function files(outdir: string, validationToken?: string): string[] {
  const app = new App({ outdir });
  const chart = new Chart(app, 'platform', { namespace: 'platform' });
  new ApiObject(chart, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'platform' } });
  new PlatformCredential(chart, 'credential', { environment: dev });
  const owner = new resources.ResourceGroup(chart, 'group', { metadata: { name: 'rg-shared' }, location: 'uksouth' });
  const profile = new cdn.Profile(chart, 'profile', {
    metadata: { name: 'afd-shared' }, owner, location: 'global', sku: { name: cdn.SkuName.STANDARD_AZURE_FRONT_DOOR },
  });
  new cdn.AfdEndpoint(chart, 'endpoint', { metadata: { name: 'edge' }, owner: profile, location: 'global' });
  new network.DnsZone(chart, 'zone', { metadata: { name: 'example.com' }, owner, location: 'global' });
  new TeamOnboarding(new Chart(app, 'onboarding'), 'ledger', { team: ledger });
  new Service(new Chart(app, 'shop'), 'shop', {
    team: ledger,
    name: 'shop',
    domains: [{ hostName: 'shop.example.com', ...(validationToken === undefined ? {} : { validationToken }) }, { hostName: '*.apps.ledger.example.com' }],
    routes: [
      { name: 'web', domains: ['shop.example.com', '*.apps.ledger.example.com'], origin: { hostName: 'ingress.example.net', probePath: '/healthz' } },
      { name: 'docs', domains: ['shop.example.com'], patterns: ['/docs/*'], origin: { hostName: 'stdocs.z33.web.core.windows.net' }, caching: true },
    ],
    dnsRecords: [
      { name: 'mail.ledger.example.com', type: DnsRecordType.A, values: ['192.0.2.10'] },
      { name: '_dmarc.mail.ledger.example.com', type: DnsRecordType.TXT, values: ['v=DMARC1; p=none'] },
    ],
  });
  app.synth();
  return readdirSync(outdir).filter((file) => file.endsWith('.yaml')).sort().map((file) => join(outdir, file));
}

describeWithKubectl('Front Door and DNS of a team', () => {
  test('become Ready; the exported token, and a kind that reads it, give the records with which Azure validates domains', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-front-door-'));
    const sandbox = await startSandbox({ args: files(directory) });
    const inAzure = async () => {
      const { value } = await sandbox.azure('/__resources') as { value: { readonly id: string; readonly properties: any }[] };
      return new Map(value.map(({ id, properties }) => [id.toLowerCase(), properties]));
    };
    try {
      await until('all is Ready', () => / of \d+ Azure objects Ready/.test(sandbox.output()), 150);
      const [, ready, all] = /(\d+) of (\d+) Azure objects Ready/.exec(sandbox.output())!;
      expect([ready, Number(all)]).toEqual([all, 26]);
      const made = await inAzure();
      const [route] = [...made].filter(([id]) => id.endsWith('/routes/ledger--web')).map(([, properties]) => properties);
      expect(route.customDomains).toHaveLength(2);
      for (const { id } of route.customDomains as { readonly id: string }[]) expect(made.has(id.toLowerCase())).toBe(true);
      expect(made.get(`${ZONE}/CNAME/shop`.toLowerCase()).targetResource).toEqual({ id: ENDPOINT });

      const maps = JSON.parse(kubectl(sandbox, '-n', 'ledger', 'get', 'configmaps', '-o', 'json')) as { items: { metadata: { name: string }; data: Record<string, string> }[] };
      const token = maps.items.find(({ metadata }) => metadata.name.startsWith('shop-example-com'))?.data.validationToken;
      expect(token).toMatch(/^\S{8,}$/);
      for (const file of files(directory, token)) kubectl(sandbox, 'apply', '-f', file);
      kubectl(sandbox, '-n', 'platform', 'wait', '--for=condition=Ready', 'dnszonestxtrecords.network.azure.com', '--all', '--timeout=60s');
      expect((await inAzure()).get(`${ZONE}/TXT/_dnsauth.shop`.toLowerCase()).TXTRecords).toEqual([{ value: [token] }]);

      // A kind of the platform's own reads the token itself.
      const { bundle, crds, end } = buildStore(undefined, join(__dirname, 'front-door-site.ts'));
      kubectl(sandbox, 'apply', '--server-side', '-f', crds);
      kubectl(sandbox, 'wait', '--for=condition=Established', 'crd/sites.platform.example.com', '--timeout=30s');
      const composer = startComposer(sandbox, bundle);
      try {
        applyObjects(sandbox, [{
          apiVersion: 'platform.example.com/v1', kind: 'Site', metadata: { name: 'docs', namespace: 'ledger' }, spec: { hostName: 'docs.ledger.example.com' },
        }]);
        await until('the record is composed', async () => (await inAzure()).has(`${ZONE}/TXT/_dnsauth.docs.ledger`.toLowerCase()), 60).catch((error: unknown) => {
          throw new Error(`${String(error)}\n${composer.log()}\n${kubectl(sandbox, '-n', 'ledger', 'get', 'sites.platform.example.com', 'docs', '-o', 'yaml')}`);
        });
        kubectl(sandbox, '-n', 'ledger', 'wait', '--for=condition=Ready', 'sites.platform.example.com/docs', '--timeout=60s');
        const status = JSON.parse(kubectl(sandbox, '-n', 'ledger', 'get', 'afdcustomdomains', '-o', 'json')).items
          .find(({ spec }: any) => spec.hostName === 'docs.ledger.example.com').status;
        expect((await inAzure()).get(`${ZONE}/TXT/_dnsauth.docs.ledger`.toLowerCase()).TXTRecords)
          .toEqual([{ value: [status.validationProperties.validationToken] }]);
      } finally {
        await composer.kill();
        end();
      }
    } finally {
      await sandbox.close();
      rmSync(directory, { recursive: true });
    }
  });
});
