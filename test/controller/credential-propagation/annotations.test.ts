import fc from 'fast-check';
import {
  acceptsPropagation,
  PROPAGATION_KINDS,
  propagationSources,
  propagationTargets,
  propagationTargetText,
} from '../../../src/azure/credential-propagation';

describe('the annotation of the identity', () => {
  test('kinds, blanks and repetitions', () => {
    expect(
      propagationTargets(' Secret/team-a/aso-credential , ServiceAccount/team-a/team.a,,ConfigMap/b/c,Secret/team-a/aso-credential'),
    ).toEqual({
      entries: [
        { kind: 'Secret', namespace: 'team-a', name: 'aso-credential' },
        { kind: 'ServiceAccount', namespace: 'team-a', name: 'team.a' },
        { kind: 'ConfigMap', namespace: 'b', name: 'c' },
      ],
      problems: [],
    });
    expect(propagationTargets('')).toEqual({ entries: [], problems: [] });
  });

  test.each([
    ['team-a/aso-credential', 'is no target: write Secret/<namespace>/<name>'],
    ['Pod/a/b', 'is no target'],
    ['secret/a/b', 'names the kind secret: write Secret'],
    ['Secret/a', 'has not three parts: write Secret/<namespace>/<name>'],
    ['Secret/a/b/c', 'has not three parts'],
    ['Secret//b', 'names the namespace ""'],
    ['Secret/Team/b', 'names the namespace "Team"'],
    ['Secret/a.b/c', 'names the namespace "a.b"'],
    ['Secret/a/', 'names ""'],
    ['Secret/a/../b', 'has not three parts'],
    ['Secret/a/..', 'names ".."'],
    [`Secret/${'a'.repeat(64)}/b`, 'names the namespace'],
    [`Secret/a/${'b'.repeat(254)}`, 'which Kubernetes does not take'],
  ])('%s is reported, and delays no other part', (part, problem) => {
    const { entries, problems } = propagationTargets(`${part},Secret/good/one`);
    expect(entries).toEqual([{ kind: 'Secret', namespace: 'good', name: 'one' }]);
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems[0]).toContain(`"${part}"`);
  });

  const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,8}[a-z0-9])?$/);
  const target = fc.record({ kind: fc.constantFrom(...PROPAGATION_KINDS), namespace: label, name: label });
  const targets = fc.uniqueArray(target, { selector: propagationTargetText });

  test('what is written is what is read', () => {
    fc.assert(fc.property(targets, (entries) => {
      expect(propagationTargets(entries.map(propagationTargetText).join(', '))).toEqual({ entries, problems: [] });
    }));
  });

  test('no text throws, and every part is either a target or a problem', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc
            .array(fc.string())
            .map((parts) => parts.join('/'))
            .map((text) => `Secret/${text}`),
        ),
        (text) => {
          const { entries, problems } = propagationTargets(text);
          const parts = text
            .split(',')
            .map((part) => part.trim())
            .filter(Boolean);
          expect(problems.length + entries.length).toBeLessThanOrEqual(parts.length);
          expect(problems.length === 0 && entries.length === 0).toBe(parts.length === 0);
          for (const entry of entries) expect(propagationTargets(propagationTargetText(entry)).entries).toEqual([entry]);
        },
      ),
    );
  });
});

describe('the annotation of the Namespace', () => {
  const accepts = (text: string, namespace: string, name: string) =>
    acceptsPropagation(propagationSources(text).entries, { namespace, name });

  test.each([
    ['platform/team-a', 'platform', 'team-a', true],
    ['platform/team-a', 'platform', 'team-b', false],
    ['platform/team-a', 'other', 'team-a', false],
    ['platform', 'platform', 'anything', true],
    ['platform', 'platform2', 'anything', false],
    ['other, platform/team-a', 'platform', 'team-a', true],
    ['', 'platform', 'team-a', false],
    ['*', 'platform', 'team-a', false],
    ['platform/*', 'platform', 'team-a', false],
    ['platform/', 'platform', 'team-a', false],
    ['/team-a', '', 'team-a', false],
    ['platform/team-a/x', 'platform', 'team-a', false],
  ])('"%s": identity %s/%s %s', (text, namespace, name, expected) => {
    expect(accepts(text, namespace, name)).toBe(expected);
  });

  test('a part that is no source accepts nobody, and is reported', () => {
    expect(propagationSources('platform/*,ok')).toEqual({
      entries: [{ namespace: 'ok' }],
      problems: ['"platform/*" is no source: write <namespace>/<identity>, or <namespace> for all identities of it'],
    });
  });
});
