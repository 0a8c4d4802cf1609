import type { Construct } from 'constructs';
import { Catalog } from '../../catalog/catalog';
import { AzureResource } from '../../core';
import type { AzureResourceProps } from '../../core';

/** An object of a kind that a table names. */
export class SharedObject extends AzureResource {
  public constructor(scope: Construct, id: string, group: string, kind: string, props: AzureResourceProps) {
    super(scope, id, { group, kind, version: Catalog.default().kind(group, kind)!.latest.name }, props);
  }
}
