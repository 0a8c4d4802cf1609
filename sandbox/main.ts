import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startAzure, startKubernetes, uncheckedText } from './index';

const HELP = `Usage: node main.js [flags]

Starts the embedded Kubernetes API and the Azure simulator, without a controller, and prints one line of JSON once both listen:
  {"kubernetes":{"url","kubeconfig"},"azure":{"endpoint","authority","ca"},"env":{…}}
where env points a controller, or an Azure SDK, at the simulator. Stops on SIGTERM and SIGINT.

  --no-kubernetes        the Azure simulator alone; the line has no "kubernetes"
  --kubernetes-port N    default: a free one
  --azure-port N         default: a free one
  --kubeconfig FILE      writes the kubeconfig there as well
  --time-scale N         so many of Azure's seconds pass in one (default 60)
  --seed TEXT            the same seed gives the same ids and keys
  --subscription ID      a subscription that exists; may be repeated (default: all)
  --existing ID          ARM id of a resource that is there from the start; may be repeated
  --principal-delay N    Azure's seconds until a new identity, trust or role is known everywhere; identities then need roles
  --contrary SEED        Azure answers in other spellings and ways; the same seed gives the same ways
  --aks-kubeconfig FILE  the kubeconfig that AKS clusters hand out
  --azure-types DIR      Microsoft's types (bicep-types-az): bodies that break them are refused
  --limits               requests beyond Azure's limits are refused with 429
  --no-azure-rules       what breaks a rule of docs/azure-rules.md is taken
  --allow-foreign-scopes extension resources may sit on resources that were never made here
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'no-kubernetes': { type: 'boolean' },
      'kubernetes-port': { type: 'string' },
      'azure-port': { type: 'string' },
      'kubeconfig': { type: 'string' },
      'time-scale': { type: 'string' },
      'seed': { type: 'string' },
      'subscription': { type: 'string', multiple: true },
      'existing': { type: 'string', multiple: true },
      'allow-foreign-scopes': { type: 'boolean' },
      'principal-delay': { type: 'string' },
      'contrary': { type: 'string' },
      'aks-kubeconfig': { type: 'string' },
      'azure-types': { type: 'string' },
      'limits': { type: 'boolean' },
      'no-azure-rules': { type: 'boolean' },
      'help': { type: 'boolean' },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const [azure, kubernetes] = await Promise.all([
    startAzure({
      port: numberOf('azure-port', values['azure-port']),
      timeScale: numberOf('time-scale', values['time-scale']),
      seed: values.seed,
      subscriptionIds: values.subscription,
      existing: values.existing,
      allowForeignScopes: values['allow-foreign-scopes'],
      principalDelaySeconds: numberOf('principal-delay', values['principal-delay']),
      contrary: values.contrary,
      aksKubeconfig: values['aks-kubeconfig'] === undefined ? undefined : readFileSync(values['aks-kubeconfig'], 'utf8'),
      azureTypes: values['azure-types'],
      limits: values.limits,
      rules: !values['no-azure-rules'],
    }),
    values['no-kubernetes'] ? undefined : startKubernetes({ port: numberOf('kubernetes-port', values['kubernetes-port']) }),
  ]);
  const kubeconfig = kubernetes?.kubeconfig();
  if (values.kubeconfig && kubeconfig) writeFileSync(values.kubeconfig, kubeconfig);
  const { endpoint, authority, caFile, env, contrary } = azure;
  process.stdout.write(`${JSON.stringify({ kubernetes: kubernetes && { url: kubernetes.url, kubeconfig }, azure: { endpoint, authority, ca: caFile, contrary: contrary?.seed }, env })}\n`);
  if (contrary) process.stderr.write(`${contrary.text}\n`);
  process.stderr.write(`${uncheckedText(!values['no-azure-rules'])}\n`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void Promise.all([azure.close(), kubernetes?.close()]).then(() => process.exit(0)));
  }
}

function numberOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new Error(`--${flag} ${text}: write a number`);
  return value;
}

main().catch((error: unknown) => {
  process.stderr.write(`sandbox: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
