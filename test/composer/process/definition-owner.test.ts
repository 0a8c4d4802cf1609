import { DefinitionOwner } from '../../../composer/process/definition-owner';
import type { KubernetesObject } from '../../../engine/kubernetes';

const KIND = { group: 'platform.example.com', plural: 'services' };

function ownerOf(annotations: Record<string, string> | undefined) {
  const warnings: string[] = [];
  const crd: KubernetesObject | undefined = annotations && { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'services.platform.example.com', annotations } };
  const owner = new DefinitionOwner('platform/composer', () => crd, { warn: (_fields: unknown, text?: string) => void warnings.push(text ?? '') });
  return { owner, warnings };
}

test.each([
  [{}, true],
  [{ 'aso.cdk8s.io/definition': 'platform/composer' }, true],
  [{ 'aso.cdk8s.io/definition': 'team-a/composer' }, false],
  [undefined, false],
])('a CRD with the annotations %j is this composer\'s: %s', (annotations, isOurs) => {
  const { owner, warnings } = ownerOf(annotations);
  expect(owner.isOurs(KIND)).toBe(isOurs);
  expect(owner.isOurs(KIND)).toBe(isOurs);
  expect(warnings).toHaveLength(isOurs ? 0 : 1);
});

test('the warning names both composers', () => {
  const { owner, warnings } = ownerOf({ 'aso.cdk8s.io/definition': 'team-a/composer' });
  owner.isOurs(KIND);
  expect(warnings).toEqual(['the CRD services.platform.example.com belongs to the composer team-a/composer, and this is platform/composer: its claims are left alone']);
});
