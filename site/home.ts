import type { MarkdownRenderer } from 'vitepress';

/** The part of the first page above the index of the documents. */
export const HOME = {
  layout: 'home',
  hero: {
    name: 'cdk8s-aso',
    text: 'Azure as typed CDK8s constructs',
    tagline: 'Every resource kind of Azure Service Operator v2 as a class, the controller that reconciles them, and a CLI',
    actions: [
      { theme: 'brand', text: 'Get started', link: '/getting-started' },
      { theme: 'alt', text: 'The model', link: '/model' },
      { theme: 'alt', text: 'API', link: '/modules/' },
    ],
  },
  features: [
    {
      title: 'Constructs',
      details: 'A wrong owner or a misspelt property does not compile; a bad name or reference fails at synthesis, with the fix.',
      link: '/getting-started',
    },
    {
      title: 'Controller',
      details: 'Reconciles the objects against Azure Resource Manager with the conditions, annotations and policies of ASO.',
      link: '/operator',
    },
    {
      title: 'Command line',
      details: 'Checks, plans, compares, draws and converts any YAML of ASO, and brings it to Ready in a sandbox without Azure.',
      link: '/checks',
    },
    {
      title: 'Platforms',
      details: 'One construct onboards a team; guard rails limit what the team may do, at synthesis and in the cluster.',
      link: '/platform',
    },
  ],
};

/** Pictures of the README, which other sites show too. */
const PICTURES = /https:\/\/[^)\s]+\/raw\/main\/docs\//g;

/** Above the index: the code, its output, the comparison and the picture of the README. */
export function beginWithSample(md: MarkdownRenderer, readme: string): void {
  const sample = readme.slice(readme.indexOf('```ts'), readme.indexOf('\n## Begin')).replace(PICTURES, './');
  md.core.ruler.before('normalize', 'sample', (state) => {
    if (state.env.relativePath === 'index.md') state.src = `## From code to Azure\n\n${sample}\n\n${state.src}`;
  });
}
