import type { ReadOnlyClient } from './read-only-client';
import { describeArmError } from '../../../engine/arm/arm-error';
import { readResource, type NeededMember } from '../../../engine/arm/arm-reader';
import { registrationNeeded } from '../../../engine/arm/provider-registration';
import { ArmError } from '../../../engine/arm/types';

/** Azure's answer about one resource. */
export type Reading =
  | { readonly kind: 'found'; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: 'absent'; readonly note?: string }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Reads one resource. Never throws for what Azure answers. */
export async function readingOf(
  client: ReadOnlyClient,
  armId: string,
  apiVersion: string,
  needs: readonly NeededMember[] = [],
): Promise<Reading> {
  const request = { method: 'GET', url: armId, apiVersion } as const;
  try {
    const response = await client.send(request);
    const provider = registrationNeeded(response);
    if (provider) return { kind: 'absent', note: `the controller registers the resource provider ${provider} with the subscription first` };
    const body = readResource(request, response, { needs });
    return body ? { kind: 'found', body } : { kind: 'absent' };
  } catch (error) {
    if (error instanceof ArmError) return failed(error);
    throw error;
  }
}

function failed(error: ArmError): Reading {
  const what = describeArmError(error);
  const cure = error.status === 403 ? ' (the identity that reads needs the role Reader there)' : '';
  return { kind: 'unreadable', reason: `${what}${cure}` };
}
