import { converted, synthesized } from './converting';

/** Every comment of the text, without its mark. */
const remarks = (text: string) => [...text.matchAll(/^(?:[^#"\n]*\s)?#(.*)$/gm)].map(([, remark]) => remark!.trim()).filter(Boolean);

const text = `# file
---
# above the object
apiVersion: storage.azure.com/v1api20230101 # at the version
# above the kind
kind: StorageAccount
metadata: # at the metadata
  # above the name
  name: xaccount # at the name
  annotations:
    # above the policy
    serviceoperator.azure.com/reconcile-policy: skip # at the policy
spec:
  # first in the spec
  location: x # at the location
  sku: # at the struct
    # in the struct
    name: Standard_LRS # at a leaf
    # at the end of the struct
  kind: StorageV2
  owner:
    # above the owner
    name: rg
  networkAcls:
    defaultAction: Deny
    ipRules:
      # above an element
      - value: 1.1.1.1 # at an element
      # between elements
      - value: 2.2.2.2
      # after the elements
  unknown: # at what no class has
    # in it
    a: 1
# at the end
---
# only comments
`;

test('none is lost, whatever it is about', () => {
  const { code } = converted(text);
  const kept = [...code.matchAll(/\/\/ ?(.*)$/gm)].map(([, remark]) => remark!.trim());
  expect(remarks(text).filter((remark) => remark !== 'only comments' && !kept.includes(remark))).toEqual([]);
  expect(kept.filter((remark, i) => kept.indexOf(remark) !== i)).toEqual([]);
  expect(synthesized(code)).toHaveLength(1);
});

test('they stand at what they are about', () => {
  const { code } = converted(text);
  expect(code).toMatch(/\/\/ above the policy\n\s*reconcilePolicy: .*, \/\/ at the policy\n/);
  expect(code).toMatch(/location: 'x', \/\/ at the location\n/);
  expect(code).toMatch(/\/\/ in the struct\n\s*name: .*, \/\/ at a leaf\n/);
  expect(code).toMatch(/\/\/ above an element\n\s*\{/);
  expect(code).toMatch(/\/\/ between elements\n\s*\{ value: '2\.2\.2\.2' \}/);
  expect(code).toMatch(/\/\/ above the owner\n\s*owner: /);
  expect(code).toMatch(/\/\/ above the kind\n(.*\n)*\s*new storage\.StorageAccount/);
});

test('no comment ends early or becomes code', () => {
  const { code, unreadable } = converted('# a\u2028throw 1 */ `${x}`\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n');
  // For kubectl the comment ends there.
  expect(unreadable).toEqual([expect.stringMatching(/has a character that ends a line for kubectl alone/)]);
  expect(synthesized(code)).toHaveLength(0);
  expect(code).toContain('# a\n// throw 1 */ `${x}`\n');
});

test.each([
  ['a class', 'metadata: {name: rg, labels: {a: b}}\nspec:\n  # x\n  location: uksouth\nkind: ResourceGroup\napiVersion: resources.azure.com/v1api20200601\n'],
  ['an object of another kind', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  # x\n  a: b\n'],
  ['a comment and an empty line', '\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'],
  ['Windows', 'apiVersion: v1\r\nkind: ConfigMap\r\nmetadata: {name: a}\r\ndata:\r\n  # x\r\n  a: b\r\n'],
])('a comment at the very start stands above the statement: %s', (_, object) => {
  expect(converted(`# first\n${object}`).code).toMatch(/\n {4}\/\/ first\n {4}(const \w+ = )?new /);
});

test('what stands around objects is reported in the order of the file', () => {
  const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
  expect(converted(`# 1\n---\n# 2\n${object}# 3\n`).code).toContain('    // 1\n    // 2\n    // 3\n    new ApiObject');
  const list = `# 1\napiVersion: v1\nkind: List\nitems:\n# 2\n- ${object.trimEnd().replace(/\n/g, '\n  ')}\n# 3\n- ${object.trimEnd().replace(/\n/g, '\n  ')}\n# 4\n`;
  const { code } = converted(list);
  expect(code).toMatch(/\/\/ 1\n {4}\/\/ 2\n {4}new[^]*\/\/ 3\n {4}\/\/ 4\n/);
});
