/**
 * The parts of `apiextensions.k8s.io/v1` that the catalog's CRDs use, and those of other CRDs that a server has to understand.
 *
 * See https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/
 */

/** An OpenAPI schema as `apiextensions.k8s.io/v1` allows it. */
export interface JsonSchema {
  readonly 'type'?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly 'format'?: string;
  readonly 'description'?: string;
  readonly 'nullable'?: boolean;
  readonly 'default'?: unknown;
  readonly 'enum'?: readonly unknown[];
  readonly 'pattern'?: string;
  readonly 'minLength'?: number;
  readonly 'maxLength'?: number;
  readonly 'minimum'?: number;
  readonly 'maximum'?: number;
  readonly 'exclusiveMinimum'?: boolean;
  readonly 'exclusiveMaximum'?: boolean;
  readonly 'multipleOf'?: number;
  readonly 'minItems'?: number;
  readonly 'maxItems'?: number;
  readonly 'uniqueItems'?: boolean;
  readonly 'minProperties'?: number;
  readonly 'maxProperties'?: number;
  readonly 'required'?: readonly string[];
  readonly 'properties'?: Readonly<Record<string, JsonSchema>>;
  readonly 'additionalProperties'?: JsonSchema | boolean;
  readonly 'items'?: JsonSchema;
  readonly 'allOf'?: readonly JsonSchema[];
  readonly 'anyOf'?: readonly JsonSchema[];
  readonly 'oneOf'?: readonly JsonSchema[];
  readonly 'not'?: JsonSchema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

export interface CustomResourceDefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: { readonly status?: Readonly<Record<string, never>>; readonly scale?: unknown };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
}

export interface CustomResourceDefinition {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: {
      readonly kind: string;
      readonly listKind?: string;
      readonly plural: string;
      readonly singular?: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly versions: readonly CustomResourceDefinitionVersion[];
    readonly conversion?: CustomResourceConversion;
    readonly preserveUnknownFields?: boolean;
  };
}

export type CustomResourceConversion =
  | { readonly strategy: 'None' }
  | {
    readonly strategy: 'Webhook';
    readonly webhook: {
      readonly conversionReviewVersions: readonly string[];
      readonly clientConfig: {
        readonly service: { readonly namespace: string; readonly name: string; readonly path: string; readonly port: number };
        readonly caBundle?: string;
      };
    };
  };
