import type { AppFacts } from './found';
import type { GitOpsTool } from './options';
import { literal as quoted } from '../../codegen/emit-types';

const NO_REPOSITORY = 'https://github.com/OWNER/REPOSITORY';

/** The chart with the first resources. */
export function chartModule({ className, accountName }: AppFacts): string {
  return `import { Chart, type ChartProps } from 'cdk8s';
import { RemovalPolicies, RemovalPolicy, resources, storage } from 'cdk8s-aso';
import { Namespace } from 'cdk8s-plus-27';
import type { Construct } from 'constructs';

export interface ${className}ChartProps extends ChartProps {
  readonly namespace: string;
  /** Azure's region of all resources. */
  readonly location: string;
}

export class ${className}Chart extends Chart {
  public constructor(scope: Construct, id: string, props: ${className}ChartProps) {
    super(scope, id, props);
    const { namespace, location } = props;

    new Namespace(this, 'namespace', { metadata: { name: namespace } });

    const group = new resources.ResourceGroup(this, 'group', { location });

    new storage.StorageAccount(this, 'files', {
      owner: group,
      azureName: '${accountName}', // unique in all of Azure
      location,
      kind: storage.StorageAccountKind.STORAGE_V2,
      sku: { name: storage.SkuName.STANDARD_ZRS },
      minimumTlsVersion: storage.MinimumTlsVersion.TLS1_2,
      allowBlobPublicAccess: false,
    });

    // A deletion of the objects, or of the namespace, keeps the data in Azure.
    RemovalPolicies.of(this).applyToDataBearing(RemovalPolicy.RETAIN);
  }
}
`;
}

export function appModule({ className, name, location }: AppFacts): string {
  return `import { App } from 'cdk8s';
import { ${className}Chart } from './chart';

const app = new App();
new ${className}Chart(app, '${name}', { namespace: '${name}', location: '${location}' });
app.synth();
`;
}

/** @param runner \`node:test\`, or undefined where the runner's functions are global */
export function chartTest({ className, name }: AppFacts, chart: string, runner?: 'node:test'): string {
  return `${runner === undefined ? '' : `import { test } from '${runner}';\n`}import { Testing } from 'cdk8s';
import { assertions } from 'cdk8s-aso';
import { ${className}Chart } from '${chart}';

const template = assertions.Template.fromChart(new ${className}Chart(Testing.app(), '${name}', { namespace: '${name}', location: 'uksouth' }));

test('the storage account is closed to the public, and stays when its object is deleted', () => {
  template.hasResource('StorageAccount', {
    metadata: { annotations: { 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' } },
    spec: { allowBlobPublicAccess: false, minimumTlsVersion: 'TLS1_2' },
  });
});

test('there is one resource group, in the region that was asked for', () => {
  template.resourceCountIs('ResourceGroup', 1);
  template.hasResource('ResourceGroup', { spec: { location: 'uksouth' } });
});
`;
}

/** The program that writes what a GitOps tool is told. */
export function gitOpsModule({ name, repository = NO_REPOSITORY, branch }: AppFacts, tool: GitOpsTool): string {
  const head = `// Tells ${tool === 'flux' ? 'Flux' : 'Argo CD'} to apply dist/ of this repository: kubectl apply -f gitops/
import { App, Chart } from 'cdk8s';
import { gitops } from 'cdk8s-aso';

const app = new App({ outdir: 'gitops' });
`;
  const flux = `const chart = new Chart(app, 'flux', { namespace: 'flux-system' });
const repository = new gitops.GitRepository(chart, 'repository', {
  metadata: { name: '${name}' },
  url: ${quoted(repository)},
  ref: { branch: ${quoted(branch)} },
  interval: '5m',
});
new gitops.Kustomization(chart, 'kustomization', {
  metadata: { name: '${name}' },
  sourceRef: repository.reference,
  path: './dist',
  interval: '10m',
  prune: true, // the chart's removal policies say what stays in Azure
});
`;
  const argo = `const chart = new Chart(app, 'argo-cd', { namespace: 'argocd' });
new gitops.ArgoApplication(chart, 'application', {
  metadata: { name: '${name}' },
  sources: [{ repoUrl: ${quoted(repository)}, targetRevision: ${quoted(branch)}, path: 'dist' }],
  destination: { namespace: '${name}' },
  syncPolicy: { automated: {} },
});
`;
  return `${head}${tool === 'flux' ? flux : argo}app.synth();\n`;
}
