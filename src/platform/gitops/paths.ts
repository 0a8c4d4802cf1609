import type { TeamInEnvironment } from '../model/team-in-environment';

/** Default folder of all teams' manifests. */
export const SERVICES = './services';

/** A team's folder in the source: `<root>/<programme>/<namespace>[/<service>/infra]/<environment>/<instance>`. */
export function folderOf({ team, namespace, environment }: TeamInEnvironment, root: string, service?: string): string {
  const inside = service === undefined ? [] : [service, 'infra'];
  return [root, team.props.programme, namespace, ...inside, environment.name, environment.instance].filter(Boolean).join('/');
}

/** The labels by which Backstage finds the objects of a team and of a service. */
export function backstageLabels({ namespace }: TeamInEnvironment, service?: string): Record<string, string> {
  return { 'backstage.io/kubernetes-team': namespace, ...(service === undefined ? {} : { 'backstage.io/kubernetes-id': service }) };
}
