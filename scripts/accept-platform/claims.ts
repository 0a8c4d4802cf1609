// The cases of teams and services as claims: inputs → claims of the platform's kinds → a bundle of the definition, rendered as the composer
// does → objects. It knows inputs, never cases.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClaimOfCase } from './claim-of-case';
import type { Json } from './compare';
import { onboardingConfiguration, TEAM_FIELDS, teamClaims } from './onboarding';
import { step } from './refused';
import { SERVICE_FIELDS, selfserviceConfiguration, serviceClaims } from './selfservice';
import type { Inputs } from './sentinels';
import { buildBundle } from '../../composer/bundle/build-bundle';
import type { FindObject } from '../../composer/render/object-reads';
import { Renderer } from '../../composer/render/renderer';
import type { ComposeProblem } from '../../composer/render/types';
import type { PlatformConfiguration } from '../../examples/prefixed-platform/configuration';

interface CaseOfClaims {
  readonly scope: string;
  readonly inputs: Inputs;
}

const GROUP = 'platform.example.com';
/** Within the package: the bundle takes the versions of its packages. */
const CACHE = join(__dirname, '..', '..', '.cache');

/** Whether a case is one of teams or services. */
export function isOfClaims({ scope, inputs }: CaseOfClaims): boolean {
  return scope === 'team' || scope === 'teams' || (scope === 'service' && inputs.request !== undefined);
}

/**
 * The objects of the claims of a case.
 * @throws Refused when a claim is refused
 */
export async function composed({ scope, inputs }: CaseOfClaims): Promise<Json[]> {
  const isService = scope === 'service';
  const [fields, configuration] = isService
    ? [{ ...SERVICE_FIELDS, ...TEAM_FIELDS, name: 'serviceName' }, selfserviceConfiguration(inputs)]
    : [TEAM_FIELDS, onboardingConfiguration(inputs)];
  const ofService = isService ? serviceClaims(inputs) : undefined;
  const claims = ofService ? [ofService[0]] : teamClaims(inputs);
  const known = ofService ? [ofService[1]] : [];
  const find: FindObject = ({ kind, name }) => {
    const object = known.find((other) => other.kind === kind && other.metadata.name === name);
    return object ? { state: 'present', object: objectOf(object) } : { state: 'absent' };
  };
  return withDefinition(configuration, async (renderer) => {
    const render = async (claim: ClaimOfCase) => {
      const { rendered, problem } = await renderer.compose(objectOf(claim), { find, twice: true });
      if (!rendered) step(fields, () => { throw new Error(textOf(problem)); });
      return rendered!.objects.map(({ manifest }) => manifest);
    };
    // The team of a service has to be right as well; its objects are no part of the case.
    for (const claim of known) await render(claim);
    const objects: Json[] = [];
    for (const claim of claims) objects.push(...await render(claim));
    return objects;
  });
}

/** Renders with the bundle of a definition whose environment has this configuration. */
async function withDefinition<T>(configuration: PlatformConfiguration, use: (renderer: Renderer) => Promise<T>): Promise<T> {
  mkdirSync(CACHE, { recursive: true });
  const directory = mkdtempSync(join(CACHE, 'accept-claims-'));
  const source = join(directory, 'definition.ts');
  writeFileSync(source, `
import { configuredEnvironment } from '../../examples/prefixed-platform/environment';
import { platformKinds } from 'cdk8s-aso/platform-kinds';

export default platformKinds({
  group: '${GROUP}',
  environment: configuredEnvironment(${JSON.stringify(configuration)} as never),
  trustedServiceAccounts: ['app-config-service:az-appconfig-k8s-provider'],
});
`);
  const bundleFile = join(directory, 'bundle.js');
  writeFileSync(bundleFile, (await buildBundle(source)).code);
  const renderer = new Renderer({ bundleFile, threads: 1 });
  try {
    return await use(renderer);
  } finally {
    await renderer.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

function objectOf({ kind, metadata, spec }: ClaimOfCase) {
  // As in a file: without what is undefined.
  const data = JSON.parse(JSON.stringify(spec)) as Record<string, unknown>;
  return { apiVersion: `${GROUP}/v1`, kind, metadata: { ...metadata, creationTimestamp: '2026-01-01T00:00:00Z' }, spec: data };
}

/** The problem by the fields of the constructs' props. */
function textOf(problem: ComposeProblem): string {
  if (problem.reason !== 'InvalidSpec') return `${problem.reason}: ${problem.message}`;
  return problem.issues.map(({ path, message }) => `${path.replace(/^(spec|metadata)\./, '')}: ${message}`).join('\n  ');
}
