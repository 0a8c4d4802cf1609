import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Testing } from 'cdk8s';
import { svgText } from './graphviz';
import { fixture, graphOf } from './manifests';
import { dev1 } from '../../../examples/onboarding/environment';
import { onboard } from '../../../examples/onboarding/onboarding';
import { GraphFormat } from '../../../src/core/graph/facts';
import { render } from '../../../src/core/graph/render';
import { coloursOf, NEUTRAL, PALETTE } from '../../../src/core/graph/render/colours';

const PICTURE = join(__dirname, '..', '..', '..', 'docs', 'onboarding.svg');

/** As it is made from the sources of the example, not from a copy of what they once gave. */
function onboardingManifests(): string {
  const app: App = Testing.app();
  onboard(app, dev1);
  return app.synthYaml();
}

const SOURCES: [string, () => string][] = [['examples/onboarding', onboardingManifests], ['features.yaml', () => fixture('features.yaml')]];

/** After a look at what changed: `npx jest test/cli/graph/pictures -u`. */
describe.each(SOURCES)('%s', (_, manifests) => {
  test.each(Object.values(GraphFormat))('as %s', (format) => {
    expect(render(graphOf(manifests()), format)).toMatchSnapshot();
  });

  test('as svg', async () => {
    const svg = await svgText(graphOf(manifests()));
    expect(svg).toMatchSnapshot();
    expect(svg).not.toContain('never-shown');
  });
});

/** `npx jest test/cli/graph/pictures -u` writes it as well. */
test('docs/onboarding.svg is the picture of examples/onboarding', async () => {
  const svg = `${await svgText(graphOf(onboardingManifests()))}\n`;
  const { _updateSnapshot: update } = (expect.getState() as unknown as { snapshotState: { _updateSnapshot: string } }).snapshotState;
  if (update === 'all') writeFileSync(PICTURE, svg);
  expect(readFileSync(PICTURE, 'utf8')).toBe(svg);
});

describe('colours', () => {
  const luminance = (hex: string) => {
    const parts = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
    const [r, g, b] = parts.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const contrast = (a: string, b: string) => {
    const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (light! + 0.05) / (dark! + 0.05);
  };

  test('text is readable on its ground, in its box and on white', () => {
    for (const { ground, box, text } of [...PALETTE, NEUTRAL]) {
      for (const on of [ground, box, '#ffffff']) expect(contrast(text, on)).toBeGreaterThan(7);
    }
  });

  test('lines stand out from the white ground', () => {
    for (const { line } of PALETTE) expect(contrast(line, '#ffffff')).toBeGreaterThan(2.9);
  });

  test('services that are used together differ', () => {
    const common = [
      'resources',
      'managedidentity',
      'authorization',
      'servicebus',
      'storage',
      'dbforpostgresql',
      'network',
      'keyvault',
      'containerservice',
      'containerregistry',
      'documentdb',
      'compute',
    ];
    expect(new Set(common.map(coloursOf)).size).toBe(common.length);
  });
});
