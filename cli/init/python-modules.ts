import type { AppFacts } from './found';
import type { GitOpsTool } from './options';
import { literal as quoted } from '../../codegen/emit-types';

const NO_REPOSITORY = 'https://github.com/OWNER/REPOSITORY';

export function chartModule({ className, location, accountName }: AppFacts): string {
  return `from cdk8s import Chart
from cdk8s_aso import RemovalPolicies, RemovalPolicy, resources, storage
from cdk8s_plus_27 import Namespace
from constructs import Construct


class ${className}Chart(Chart):
    def __init__(self, scope: Construct, id: str, *, namespace: str, location: str = '${location}') -> None:
        super().__init__(scope, id, namespace=namespace)

        Namespace(self, 'namespace', metadata={'name': namespace})

        group = resources.ResourceGroup(self, 'group', location=location)

        storage.StorageAccount(
            self,
            'files',
            owner=group,
            azure_name='${accountName}',  # unique in all of Azure
            location=location,
            kind=storage.StorageAccountKind.STORAGE_V2,
            sku=storage.Sku(name=storage.SkuName.STANDARD_ZRS),
            minimum_tls_version=storage.MinimumTlsVersion.TLS1_2,
            allow_blob_public_access=False,
        )

        # A deletion of the objects, or of the namespace, keeps the data in Azure.
        RemovalPolicies.of(self).apply_to_data_bearing(RemovalPolicy.RETAIN)
`;
}

export function appModule({ className, name, location }: AppFacts): string {
  return `from cdk8s import App

from chart import ${className}Chart

app = App()
${className}Chart(app, '${name}', namespace='${name}', location='${location}')
app.synth()
`;
}

export function chartTest({ className, name }: AppFacts): string {
  return `from cdk8s import Testing
from cdk8s_aso import assertions

from chart import ${className}Chart

chart = ${className}Chart(Testing.app(), '${name}', namespace='${name}', location='uksouth')
template = assertions.Template.from_chart(chart)


def test_the_storage_account_is_closed_to_the_public_and_stays_when_its_object_is_deleted():
    template.has_resource('StorageAccount', {
        'metadata': {'annotations': {'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete'}},
        'spec': {'allowBlobPublicAccess': False, 'minimumTlsVersion': 'TLS1_2'},
    })


def test_there_is_one_resource_group_in_the_region_that_was_asked_for():
    template.resource_count_is('ResourceGroup', 1)
    template.has_resource('ResourceGroup', {'spec': {'location': 'uksouth'}})
`;
}

/** The program that writes what a GitOps tool is told. */
export function gitOpsModule({ name, repository = NO_REPOSITORY, branch }: AppFacts, tool: GitOpsTool): string {
  const head = `# Tells ${tool === 'flux' ? 'Flux' : 'Argo CD'} to apply dist/ of this repository: kubectl apply -f gitops/
from cdk8s import ApiObjectMetadata, App, Chart
from cdk8s_aso import gitops

app = App(outdir='gitops')
`;
  const flux = `chart = Chart(app, 'flux', namespace='flux-system')
repository = gitops.GitRepository(
    chart,
    'repository',
    metadata=ApiObjectMetadata(name='${name}'),
    url=${quoted(repository)},
    ref=gitops.GitReference(branch=${quoted(branch)}),
    interval='5m',
)
gitops.Kustomization(
    chart,
    'kustomization',
    metadata=ApiObjectMetadata(name='${name}'),
    source_ref=repository.reference,
    path='./dist',
    interval='10m',
    prune=True,  # the chart's removal policies say what stays in Azure
)
`;
  const argo = `chart = Chart(app, 'argo-cd', namespace='argocd')
gitops.ArgoApplication(
    chart,
    'application',
    metadata=ApiObjectMetadata(name='${name}'),
    sources=[gitops.ArgoSource(repo_url=${quoted(repository)}, target_revision=${quoted(branch)}, path='dist')],
    destination=gitops.ArgoDestination(namespace='${name}'),
    sync_policy=gitops.ArgoSyncPolicy(automated=gitops.ArgoAutomatedSync()),
)
`;
  return `${head}${tool === 'flux' ? flux : argo}app.synth()\n`;
}
