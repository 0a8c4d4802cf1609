import { ownPackage } from '../app/own-package';

/** Without a look at the registry for a newer one, which prints its failure where there is none. */
const SYNTH = 'cdk8s synth --no-check-upgrade';

/** By the name of each. */
export type Scripts = Readonly<Record<'synth' | 'check' | 'plan' | 'sandbox' | 'test', string>>;

/** The scripts of an app, in the order in which people use them. */
export function scripts(run: string, test: string, gitops: boolean): Scripts {
  const { name } = ownPackage();
  return {
    synth: gitops ? `${SYNTH} && ${run}` : SYNTH,
    check: `npm run --silent synth && ${name} check dist/`,
    plan: `npm run --silent synth && ${name} plan dist/`,
    sandbox: `npm run --silent synth && ${name} sandbox dist/`,
    test,
  };
}
