import { stringify } from 'yaml';

/** Objects as the documents of a YAML file. */
export function yamlOf(objects: readonly unknown[]): string {
  return objects.map((object) => `---\n${stringify(object, { aliasDuplicateObjects: false, lineWidth: 0, version: '1.1' })}`).join('');
}
