import { KINDS, LIVE_SCENARIOS, type Scenario } from './live-scenarios';
import { why, ScenarioEnvironment, type Why } from './scenario-environment';
import { until } from '../../setup/until';

/** `w01` … : also in the names of resources in Azure, by which faults find their scenario. */
const scenarios = LIVE_SCENARIOS.map((scenario, index) => ({ ...scenario, namespace: `w${String(index + 1).padStart(2, '0')}` }));

let environment: ScenarioEnvironment;
beforeAll(async () => {
  environment = await ScenarioEnvironment.start(...KINDS);
  await Promise.all(scenarios.map((scenario) => plant(scenario, scenario.namespace)));
});
afterAll(() => environment.close());

/** All scenarios are planted at once: each waits for its own. */
async function plant({ annotations, objects, faults = [], then }: Scenario, namespace: string): Promise<void> {
  for (const { path = '', ...fault } of faults) {
    // A group's own path, or that of a resource: both have the namespace's name.
    const paths = path === 'resourceGroups/' ? [`resourceGroups/${namespace}-group`] : path.includes('w-platform') ? [path] : [];
    if (paths.length > 0) environment.azure.faults.add({ ...fault, path: paths[0]! });
    else environment.azure.faults.add({ ...fault, path: resourcePath(namespace, path) });
  }
  await environment.cluster.apply(
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, ...(annotations ? { annotations: { ...annotations } } : {}) } },
    ...objects(namespace),
  );
  await then?.(environment, namespace);
}

/** Resources are in the group of their scenario. */
function resourcePath(namespace: string, path: string): string {
  const provider: Readonly<Record<string, string>> = {
    'storageAccounts': `Microsoft.Storage/storageAccounts/${namespace}data`,
    'userAssignedIdentities': `userAssignedIdentities/${namespace}-id`,
    'roleAssignments': `${namespace}-group/providers/Microsoft.Authorization/roleAssignments`,
    'virtualNetworks/': `virtualNetworks/${namespace}-net`,
    'Microsoft.KeyVault/vaults': `${namespace}-group/providers/Microsoft.KeyVault/vaults`,
  };
  return provider[path] ?? path;
}

test.each(scenarios)('$namespace: $title', async ({ namespace, asks, cause, sentence, advice, hasAnswer }) => {
  const isNamed = ({ cause: found }: Why) => found !== undefined && `${found.object.kind} ${found.object.name}` === cause && sentence.test(found.text);
  let last: Awaited<ReturnType<typeof why>> | undefined;
  await until('the cause is named', async () => {
    last = await why(environment.cluster.kubeconfig, asks, namespace);
    return isNamed(last.json) && (!hasAnswer || last.json.answer?.requestId !== undefined);
  }).catch(() => {
    throw new Error(`${asks} says ${JSON.stringify(last?.json, undefined, 1).slice(0, 2_000)}`);
  });
  const { json, text } = last!;
  expect(text).toMatch(sentence);
  expect([json.advice!.text, ...json.advice!.commands].filter((line) => advice.test(line))).not.toEqual([]);
  if (hasAnswer) expect(text).toContain(`request id ${json.answer!.requestId}`);
  expect(json.chain[0]!.object).toBe(`${asks.replace('/', ` ${namespace}/`)}`);
  expect(text).not.toMatch(/hunter2|not-a-real-secret/);
});
