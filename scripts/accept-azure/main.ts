// Does the controller do in Azure what it does in the simulator? Brings some forty cheap resources through a life in a group of its own.
//
//   npm run accept:azure -- --subscription ID [--location REGION] [--only NAME,…] [--keep] [--dry-run] [--endpoint URL] [--out DIR]
//
// docs/testing.md has the options, the steps and the exit statuses.
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { acceptAzure, type AcceptOptions } from './accept-azure';
import { STATUS } from './statuses';

const USAGE = 'Usage: npm run accept:azure -- --subscription ID [--location REGION] [--only NAME,…] [--keep] [--dry-run] [--endpoint URL] [--out DIR]'
  + ' [--timeout MINUTES] [--sync SECONDS] [--output text|json]';

function optionsOf(args: readonly string[]): AcceptOptions {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      'subscription': text,
      'location': text,
      'only': text,
      'endpoint': text,
      'out': text,
      'timeout': text,
      'sync': text,
      'output': text,
      'keep': flag,
      'dry-run': flag,
    },
  });
  const { subscription, output = 'text', endpoint } = values;
  const number = (name: 'timeout' | 'sync', otherwise: number) => {
    const value = Number(values[name] ?? otherwise);
    if (!(value > 0)) throw new Error(`--${name} takes a number`);
    return value;
  };
  if (!subscription || !/^[0-9a-f-]{36}$/i.test(subscription)) throw new Error('--subscription takes the id of a subscription');
  if (output !== 'text' && output !== 'json') throw new Error('--output takes text or json');
  if (endpoint !== undefined && !URL.canParse(endpoint)) throw new Error('--endpoint takes a URL');
  const suffix = randomBytes(4).toString('hex');
  return {
    subscription,
    output,
    suffix,
    endpoint,
    location: values.location ?? 'westeurope',
    only: values.only?.split(',') ?? [],
    keep: values.keep,
    isDryRun: values['dry-run'],
    out: values.out ?? `accept-azure-${suffix}`,
    timeoutMs: number('timeout', 30) * 60_000,
    syncPeriodSeconds: number('sync', 30),
  };
}

async function main(): Promise<number> {
  let options;
  try {
    options = optionsOf(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    return STATUS.usage;
  }
  return acceptAzure(options, process.env, { print: (text) => console.log(text), say: (text) => console.error(text) });
}

void main().then((status) => process.exit(status));
