import { ApiObject, App, Chart } from 'cdk8s';
import { ALLOWED } from './allowed-objects';
import { FORBIDDEN } from './forbidden-objects';
import { FIN, POLICY } from './guarded-team';
import type { TeamObject } from './objects-of-team';
import { messageOf } from '../../src/platform/policy/limit';

/** Synth's messages for a team with one object. */
function synth(object: TeamObject): string {
  const app = new App();
  const chart = new Chart(app, 'ledger', { namespace: FIN.namespace });
  new ApiObject(chart, 'object', object as never);
  POLICY.applyTo(chart, FIN);
  try {
    app.synthYaml();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('objects that a team may not have', () => {
  const limits = POLICY._limits(FIN);
  const { origin } = POLICY._for(FIN);
  // Limits of several kinds may have one message.
  const messages = new Map(limits.map((one) => [messageOf(one, origin), one]));

  it('are many, and reach every limit', () => {
    expect(FORBIDDEN.length).toBeGreaterThanOrEqual(35);
    expect([...new Set(FORBIDDEN.map(({ limit }) => limit))].sort()).toEqual([...new Set(limits.map(({ id }) => id))].sort());
  });

  it.each(FORBIDDEN.map((row) => [row.limit, row.why, row] as const))('%s: %s', (_, __, { limit, object }) => {
    const said = synth(object);
    const broken = [...messages].filter(([message]) => said.includes(message)).map(([, one]) => one);
    expect([...new Set(broken.map(({ id }) => id))]).toEqual([limit]);
    expect(said).toContain(`ledger/object (${object.kind} ${object.metadata.name})`);
    expect(said).toContain("Only the platform team may change this: '");
    expect(said).toMatch(/' of (the SelfServicePolicy of )?team 'fin' in 'dev'/);
  });
});

describe('objects that a team may have', () => {
  it.each(ALLOWED.map(({ what, object }) => [what, object] as const))('%s', (_, object) => {
    expect(synth(object)).toBe('');
  });
});
