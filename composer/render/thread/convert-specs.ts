import { checkedSpec, pathOfPrototype } from './check-spec';
import { CompositionError, failed } from './composition-error';
import type { ApiDefinition, ClaimSchema } from '../../../src/platform-api';
import { messageOf } from '../../message-of';
import type { JobPhase } from '../jobs';

type Convert = (spec: never) => unknown;

/** A spec of any served version, checked, in the definition's version. */
export function upgraded(definition: ApiDefinition, version: string, spec: unknown, report: (phase: JobPhase) => void): unknown {
  if (version === definition.version) return checkedSpec(definition.schema, spec);
  const { schema, upgrade } = olderOf(definition, version);
  const checked = checkedSpec(schema, spec);
  report('convert');
  return checkedSpec(definition.schema, converted(upgrade, checked, `upgrade of ${version}`));
}

/**
 * A spec of one version in another. A spec that its schema refuses is converted as it is: an object that was stored once, perhaps before
 * the schema was changed, has to be readable, and the API server answers no list in which one object cannot be converted.
 */
export function convertedSpec(definition: ApiDefinition, from: string, to: string, spec: unknown): unknown {
  const { version } = definition;
  if (from === to) return checkedSpec(from === version ? definition.schema : olderOf(definition, from).schema, spec);
  const newest = from === version ? readableSpec(definition.schema, spec) : fromOlder(definition, from, spec);
  return to === version ? newest : converted(olderOf(definition, to).downgrade, newest, `downgrade to ${to}`);
}

function fromOlder(definition: ApiDefinition, from: string, spec: unknown): unknown {
  const { schema, upgrade } = olderOf(definition, from);
  return converted(upgrade, readableSpec(schema, spec), `upgrade of ${from}`);
}

function readableSpec(schema: ClaimSchema<unknown>, spec: unknown): unknown {
  try {
    return checkedSpec(schema, spec);
  } catch (error) {
    if (error instanceof CompositionError && error.problem.reason === 'InvalidSpec' && pathOfPrototype(spec, 'spec') === undefined) return spec;
    throw error;
  }
}

function olderOf(definition: ApiDefinition, version: string): ApiDefinition['olderVersions'][number] {
  const older = definition.olderVersions.find((one) => one.version === version);
  if (!older) throw failed(`${definition.kind} has no version ${version}`);
  return older;
}

function converted(convert: Convert, spec: unknown, title: string): unknown {
  try {
    return JSON.parse(JSON.stringify(convert(spec as never))) as unknown;
  } catch (error) {
    throw failed(`${title}: ${messageOf(error)}`);
  }
}
