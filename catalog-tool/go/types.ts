import type { Node } from 'web-tree-sitter';
import type { GoType } from './syntax';

/** Reads a Go type. */
export function readType(node: Node): GoType {
  switch (node.type) {
    case 'type_identifier':
    case 'identifier':
      return { is: 'name', name: node.text };
    case 'qualified_type':
      return { is: 'name', package: node.childForFieldName('package')!.text, name: node.childForFieldName('name')!.text };
    case 'pointer_type':
      return { is: 'pointer', of: readType(node.namedChild(0)!) };
    case 'slice_type':
      return { is: 'slice', of: readType(node.childForFieldName('element')!) };
    case 'map_type':
      return { is: 'map', key: readType(node.childForFieldName('key')!), of: readType(node.childForFieldName('value')!) };
    default:
      return { is: 'other', text: node.text };
  }
}

/** The type without pointers: CRDs do not distinguish between a value and a pointer to it. */
export function pointed(type: GoType): GoType {
  return type.is === 'pointer' ? pointed(type.of) : type;
}

/** The name of a type of the same package, e.g. `Sku_Name`; undefined for types of other packages, slices and maps. */
export function localName(type: GoType): string | undefined {
  const bare = pointed(type);
  return bare.is === 'name' && bare.package === undefined ? bare.name : undefined;
}
