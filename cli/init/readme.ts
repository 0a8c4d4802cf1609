import type { AppFacts } from './found';
import type { InitOptions } from './options';
import { documentation } from '../../src/documentation';

/** The README of an app. */
export function readme({ name, location }: AppFacts, { gitops }: InitOptions, files: Readonly<Record<string, string>>): string {
  const rows = Object.entries(files).map(([file, what]) => `| \`${file}\` | ${what} |`);
  const applied = gitops === undefined
    ? 'Apply it with `kubectl apply -f dist/`, to a cluster with Azure Service Operator or with the controller of cdk8s-aso.'
    : `${gitops === 'flux' ? 'Flux' : 'Argo CD'} applies \`dist/\` of this repository; \`kubectl apply -f gitops/\` tells it to, once. Commit \`dist/\`.`;
  return `# ${name}

Resources in Azure (${location}) as code.

    npm run synth      # writes dist/
    npm run check      # what the cluster or Azure would refuse
    npm run plan       # the requests to Azure, in their order
    npm run sandbox    # brings everything to Ready, without Azure and without a cluster
    npm test

| File | |
|---|---|
${rows.join('\n')}

${applied} Guide: <${documentation('docs/getting-started.md')}>
`;
}
