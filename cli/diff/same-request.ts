import { isDeepStrictEqual } from 'node:util';
import type { Meanings } from './property-changes';
import type { AzureItem } from './synth';
import { ConversionError, toArm, type ValueSource } from '../../engine/convert';

/** Whether two API versions of an object give the same request to Azure. */
export function sameRequest(before: AzureItem, was: Meanings, after: AzureItem, is: Meanings): boolean {
  const [old, next] = [requestOf(before, was), requestOf(after, is)];
  return old !== undefined && isDeepStrictEqual(old, next);
}

function requestOf({ version, spec, facts }: AzureItem, meanings: Meanings): unknown {
  if (!version?.isArm || !version.facts.spec) return undefined;
  try {
    return toArm(version, spec, facts.azureName, valuesOf(meanings));
  } catch (error) {
    // A spec that cannot be converted is compared as written.
    if (error instanceof ConversionError) return undefined;
    throw error;
  }
}

function valuesOf(meanings: Meanings): ValueSource {
  return {
    reference: (reference) => meanings.identity({ ...reference }),
    secret: (name, key) => `<secret:${name}/${key}>`,
    secretMap: (name) => ({ '*': `<secret:${name}>` }),
    configMap: (name, key) => `<configmap:${name}/${key}>`,
  };
}
