import { opened } from './arm-error';
import { readObject } from './arm-reader';
import { textMember } from './json';
import type { ArmClient, ArmRequest, RawAnswer } from './types';
import { ArmError } from './types';
import { isRecord, memberIgnoringCase } from '../../src/util/records';

const REGISTRATION_API_VERSION = '2019-05-01';
const MISSING = 'missingsubscriptionregistration';

/**
 * The resource provider that the subscription must register before the request can succeed, or undefined when registration is not the cause
 * (docs/spec/errors.md#provider-registration).
 *
 * @throws ArmError when the answer demands a registration without naming the provider.
 */
export function registrationNeeded(response: RawAnswer): string | undefined {
  if (response.status !== 409) return undefined;
  const error = memberIgnoringCase(opened(response).body, 'error');
  if (!isRecord(error) || textMember(error, 'code')?.toLowerCase() !== MISSING) return undefined;
  const details = memberIgnoringCase(error, 'details');
  const provider = textMember(Array.isArray(details) ? details[0] : undefined, 'target');
  if (!provider || !/^[A-Za-z0-9.]+$/.test(provider)) throw new ArmError('UnknownError', 'unexpected empty Details', 409);
  return provider;
}

/**
 * Registers a provider with the subscription of the URL. Does not wait: registration takes minutes, and the reconcile is retried anyway.
 *
 * @returns the error to report for the request that found it missing.
 * @throws ArmError when the registration is refused.
 */
export async function registerProvider(
  client: ArmClient, { url, beforeSending }: Pick<ArmRequest, 'url' | 'beforeSending'>, namespace: string, signal?: AbortSignal,
): Promise<ArmError> {
  const subscription = /\/subscriptions\/([^/?]+)/i.exec(url)?.[1] ?? client.subscriptionId;
  const path = `/subscriptions/${subscription}/providers/${namespace}/register`;
  const request = { method: 'POST', url: path, apiVersion: REGISTRATION_API_VERSION, ...(beforeSending && { beforeSending }) } as const;
  readObject(request, await client.send(request, signal));
  const message = `registering Resource Provider ${namespace} with subscription. Try again later`;
  return new ArmError('UnknownError', message, undefined, undefined, undefined, undefined, { unstructured: true });
}

/** A client that registers missing providers: `send` then throws the error of `registerProvider` instead of returning the 409. */
export function withProviderRegistration(client: ArmClient): ArmClient {
  return {
    subscriptionId: client.subscriptionId,
    endpoint: client.endpoint,
    send: async (request, signal) => {
      const response = await client.send(request, signal);
      const provider = registrationNeeded(response);
      if (provider) throw await registerProvider(client, request, provider, signal);
      return response;
    },
  };
}
