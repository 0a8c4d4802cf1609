import { note, stop, warning, type Finding } from './finding';
import { KubernetesError, type KubernetesClient, type KubernetesListWatch, type KubernetesObject, type ResourceType } from '../../engine/kubernetes/types';
import { member } from '../../src/util/records';
import { deployersOf, type Deployer } from '../cluster/deployers';
import { listPages } from '../cluster/reader';
import { ARGO_APPLICATIONS, FLUX_KUSTOMIZATIONS, FLUX_RELEASES } from '../cluster/resource-types';

const FLUX: Readonly<Record<NonNullable<Deployer['kind']>, ResourceType>> = { HelmRelease: FLUX_RELEASES, Kustomization: FLUX_KUSTOMIZATIONS };

type Reader = KubernetesClient & Pick<KubernetesListWatch, 'list'>;

/** Deployers that would bring ASO back in the middle of a migration. */
export async function deployerFindings(client: Reader, deployment: KubernetesObject): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const deployer of deployersOf(deployment)) findings.push(await findingOf(client, deployer));
  return findings;
}

async function findingOf(client: Reader, deployer: Deployer): Promise<Finding> {
  const { by, name, namespace = '' } = deployer;
  if (by === 'Helm') return note('deployers', `ASO is the Helm release ${namespace}/${name}; its record is removed with ASO`);
  try {
    return deployer.kind ? await fluxFinding(client, deployer.kind, name, namespace) : await argoFinding(client, name);
  } catch (error) {
    if (!(error instanceof KubernetesError) || error.status === 0) throw error;
    return warning('deployers', `${by} deploys ASO (${name}), and it cannot be read whether it is suspended: ${error.message}`, 'suspend it, and remove ASO from what it deploys');
  }
}

async function fluxFinding(client: Reader, kind: NonNullable<Deployer['kind']>, name: string, namespace: string): Promise<Finding> {
  const object = await client.get(FLUX[kind], name, namespace);
  const where = `${kind} ${namespace}/${name}`;
  if (!object || object.spec?.suspend === true) return note('deployers', `Flux deploys ASO by the ${where}, which is ${object ? 'suspended' : 'gone'}`);
  const command = kind === 'HelmRelease' ? 'helmrelease' : 'kustomization';
  return stop('deployers', `Flux deploys ASO by the ${where}, and would bring it back`, `flux suspend ${command} ${name} -n ${namespace}, and remove ASO from the repository`);
}

async function argoFinding(client: Reader, name: string): Promise<Finding> {
  const found = (await listPages(client, ARGO_APPLICATIONS)).filter(({ metadata }) => metadata.name === name);
  const automated = found.some(({ spec }) => {
    const policy = member(spec?.syncPolicy, 'automated');
    return policy !== undefined && member(policy, 'enabled') !== false;
  });
  if (!automated) return note('deployers', `Argo CD deploys ASO by the Application ${name}, without automated sync: do not sync it`);
  return stop('deployers', `Argo CD deploys ASO by the Application ${name}, and would bring it back`, `argocd app set ${name} --sync-policy none, and remove ASO from the repository`);
}
