import { isRecord, type Struct } from '../../src/util/records';
import { readResource, type ResourceQuestion } from '../arm/arm-reader';
import type { ArmClient } from '../arm/types';

/** Functions to read and rebuild ARM's JSON by paths with `/` between the segments. */

export function valueAt(body: unknown, path: string): unknown {
  return path.split('/').reduce<unknown>((inner, segment) => (isRecord(inner) ? inner[segment] : undefined), body);
}

/** The body with a value at the path; missing objects on the path are created. */
export function withValueAt(body: Readonly<Record<string, unknown>>, path: string, value: unknown): Record<string, unknown> {
  const [first = path, ...rest] = path.split('/');
  if (rest.length === 0) return { ...body, [first]: value };
  const inner = body[first];
  return { ...body, [first]: withValueAt(isRecord(inner) ? inner : {}, rest.join('/'), value) };
}

/** The body without the value at the path. */
export function withoutValueAt(body: Readonly<Record<string, unknown>>, path: string): Record<string, unknown> {
  const [first = path, ...rest] = path.split('/');
  const { [first]: inner, ...others } = body;
  if (rest.length === 0) return others;
  return isRecord(inner) ? { ...body, [first]: withoutValueAt(inner, rest.join('/')) } : { ...body };
}

/** A resource as Azure returns it; undefined when Azure reports that it does not exist. @throws ArmError for every other answer */
export async function getResource(
  client: ArmClient, url: string, apiVersion: string, question: ResourceQuestion, signal?: AbortSignal,
): Promise<Struct | undefined> {
  const request = { method: 'GET', url, apiVersion } as const;
  return readResource(request, await client.send(request, signal), question);
}
