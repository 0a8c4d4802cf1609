import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { withComparisonFacts } from './merge-comparison';
import { withPropertyNotes } from './merge-properties';
import type { Kept, Overlays, OwnService } from './overlays';
import type { ServiceFacts, StatusFacts } from '../../src/catalog';
import { OWN_GROUPS } from '../../src/util/api-groups';
import type { ServiceCatalog } from '../facts/service';

const KEYS = ['reason', 'group', 'kinds', 'types', 'statusTypes'];

/**
 * Reads `kinds/<service>.yaml` below the directory of the overlays. A missing directory counts as empty.
 * @throws when a file lacks its reason or another part, has an unknown one, or describes a group of others
 */
export function readOwnKinds(overlays: string): readonly OwnService[] {
  const directory = join(overlays, 'kinds');
  const names = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.yaml')).sort() : [];
  return names.map((name) => ownService(name.slice(0, -'.yaml'.length), parse(readFileSync(join(directory, name), 'utf8'))));
}

/** The services with kinds that ASO has not. */
export function ownServices({ ownKinds, properties, comparison }: Overlays): ServiceCatalog[] {
  return ownKinds.map(({ facts, status }) => (
    { ...withPropertyNotes(withComparisonFacts(facts, comparison), properties.get(facts.service)), status }
  ));
}

function ownService(service: string, value: OwnKindsFile | undefined): OwnService {
  const at = `overlays/kinds/${service}.yaml`;
  const missing = KEYS.filter((key) => !value?.[key as keyof OwnKindsFile]);
  if (!value || missing.length > 0) throw new Error(`${at} has no ${missing.join(', ')}`);
  const unknown = Object.keys(value).filter((key) => key !== 'evidence' && !KEYS.includes(key));
  if (unknown.length > 0) throw new Error(`${at} has ${unknown.join(', ')}, which nothing reads`);
  const { reason, evidence, group, kinds, types, statusTypes } = value;
  if (group !== `${service}${OWN_GROUPS}`) throw new Error(`${at}: the group of these kinds has to be ${service}${OWN_GROUPS}`);
  return { reason, ...(evidence && { evidence }), facts: { group, service, kinds, types }, status: { group, service, statusTypes } };
}

interface OwnKindsFile extends Kept, Omit<ServiceFacts, 'service'>, Pick<StatusFacts, 'statusTypes'> {}
