/** The part of Go's syntax that the tool reads: declarations, and the bodies of the few functions that map values. */

export type GoType =
  | { readonly is: 'name'; readonly package?: string; readonly name: string }
  | { readonly is: 'pointer' | 'slice'; readonly of: GoType }
  | { readonly is: 'map'; readonly key: GoType; readonly of: GoType }
  | { readonly is: 'other'; readonly text: string };

export type GoExpression =
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'member'; readonly of: GoExpression; readonly name: string }
  | { readonly is: 'string'; readonly value: string }
  | { readonly is: 'call'; readonly callee: GoExpression; readonly arguments: readonly GoExpression[] }
  /** `*x`, `&x`, `!x`, `(x)`, `x.(T)`: treated like the operand. */
  | { readonly is: 'wrapped'; readonly operator: string; readonly of: GoExpression; readonly type?: GoType }
  | { readonly is: 'index'; readonly of: GoExpression; readonly at: GoExpression }
  | { readonly is: 'binary'; readonly operator: string; readonly left: GoExpression; readonly right: GoExpression }
  | { readonly is: 'literal'; readonly type: GoType; readonly elements: readonly GoElement[] }
  | { readonly is: 'other'; readonly text: string };

export interface GoElement {
  readonly key?: GoExpression;
  readonly value: GoExpression;
}

export type GoStatement =
  | { readonly is: 'assign'; readonly targets: readonly GoExpression[]; readonly values: readonly GoExpression[] }
  | GoIf
  | { readonly is: 'range'; readonly variables: readonly GoExpression[]; readonly of: GoExpression; readonly body: readonly GoStatement[] }
  | { readonly is: 'return'; readonly values: readonly GoExpression[] }
  | { readonly is: 'call'; readonly call: GoExpression }
  | { readonly is: 'variable'; readonly name: string; readonly type?: GoType }
  | { readonly is: 'other'; readonly text: string };

export interface GoIf {
  readonly is: 'if';
  readonly condition: GoExpression;
  readonly then: readonly GoStatement[];
  readonly otherwise: readonly GoStatement[];
}

export interface GoField {
  readonly name: string;
  readonly type: GoType;
  /** Struct tags by their keys, e.g. `json` → `azureName,omitempty`. */
  readonly tags: Readonly<Record<string, string>>;
  /** The lines of the comment above the field, without slashes. */
  readonly comment: readonly string[];
}

export interface GoStruct {
  readonly name: string;
  readonly comment: readonly string[];
  readonly fields: readonly GoField[];
}

/** A declared type that is no struct: `type Sku_Name string`. */
export interface GoNamedType {
  readonly name: string;
  readonly comment: readonly string[];
  readonly type: GoType;
}

export interface GoFunction {
  readonly name: string;
  /** The declared type of the receiver, without the pointer. */
  readonly receiver?: string;
  readonly receiverName?: string;
  readonly parameters: readonly { readonly name: string; readonly type: GoType }[];
  readonly body: readonly GoStatement[];
}

export interface GoFile {
  readonly package: string;
  /** Alias, or last segment of the path → import path. */
  readonly imports: Readonly<Record<string, string>>;
  readonly structs: readonly GoStruct[];
  readonly namedTypes: readonly GoNamedType[];
  readonly functions: readonly GoFunction[];
  /** Comments that are attached to no struct, field or type. */
  readonly comments: readonly string[];
}
