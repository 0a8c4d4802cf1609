import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents, root } from './documents';
import { Catalog } from '../../src/catalog';
import { ASO_GROUPS } from '../../src/util/api-groups';

const api = readFileSync(join(root, 'API.md'), 'utf8');
/** Every `export * as name from './folder'` of the root. */
const submodules = [...readFileSync(join(root, 'src', 'index.ts'), 'utf8').matchAll(/^export \* as (\w+) from '\.\/([\w/]+)';$/gm)].map(
  ([, name, folder]) => ({ name, folder }),
);

test('API.md has the hand-written submodules, each with a page of its own', () => {
  const written = submodules.filter(({ folder }) => !folder!.startsWith('services/'));
  expect(written.map(({ name }) => name)).toContain('assertions');
  expect(written.filter(({ name }) => !api.includes(`## cdk8s-aso/${name}\n`)).map(({ name }) => name)).toEqual([]);
  expect(written.filter(({ name }) => !existsSync(join(root, 'docs', 'modules', `${name}.md`))).map(({ name }) => name)).toEqual([]);
});

test('API.md names every service, and each has a page of its own', () => {
  const services = submodules.filter(({ folder }) => folder!.startsWith('services/'));
  expect(services.length).toBeGreaterThan(40);
  expect(services.filter(({ name }) => !api.includes(`\n| [${name}](`)).map(({ name }) => name)).toEqual([]);
  expect(services.filter(({ name }) => !existsSync(join(root, 'docs', 'api', `${name}.md`))).map(({ name }) => name)).toEqual([]);
});

test('every document has the same number of kinds', () => {
  const kinds = Catalog.default().allKinds.filter(({ group }) => group.endsWith(ASO_GROUPS)).length;
  const index = readFileSync(join(root, 'docs', 'api', 'README.md'), 'utf8');
  const numbers = [...documents, ['API.md', api] as const, ['docs/api/README.md', index] as const]
    .filter(([name]) => name !== 'CHANGELOG.md')
    .flatMap(([name, text]) => [...text.matchAll(/\b([23]\d\d) kinds\b/g)].map(([, number]) => `${name}: ${number}`));
  expect(numbers.length).toBeGreaterThan(6);
  expect(numbers.filter((number) => !number.endsWith(`: ${kinds}`))).toEqual([]);
});

test('API.md is short enough to be shown on GitHub, which cuts files above 500 kilobytes', () => expect(api.length).toBeLessThan(200_000));

describe('the page of a module', () => {
  const page = readFileSync(join(root, 'docs/modules/platform.md'), 'utf8');
  const section = (name: string) => page.split(/^### /m).find((text) => text.startsWith(`${name}\n`))!;

  test('has the constructor and the props of a construct', () => {
    expect(section('TeamOnboarding')).toMatch(/^new TeamOnboarding\(scope: Construct, id: string, props: TeamOnboardingProps\)$/m);
    expect(section('TeamOnboarding')).toMatch(/^`props`: \[`TeamOnboardingProps`\]\(platform\.md#teamonboardingprops\)/m);
  });
  test('says of props which are required, and the default of the others', () => {
    expect(section('TeamOnboardingProps')).toMatch(/^\| `team` \| \[`TeamInEnvironment`\]\(platform\.md#teaminenvironment\) \| yes \|/m);
    expect(section('TeamOnboardingProps')).toMatch(/^\| `clientId` \| `string` \|  \| .* Default: unknown/m);
  });
  test('has what a method takes and returns, and when it throws', () => {
    expect(section('TeamOnboarding')).toMatch(
      /^\| `grant\(grant: Grant\)` \| \[`RoleAssignment`\]\(\.\.\/api\/authorization\.md#roleassignment\) \| .*Throws when/m,
    );
  });
  test('has no member that only a subclass sees, and none of the base class of another package', () => {
    expect(page).not.toMatch(/^\| `(toString|isConstruct|node)[(`]/m);
  });
});
