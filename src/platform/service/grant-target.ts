import type { SharedService } from '../model/shared-service';

/** The scope of a role. */
export interface GrantTarget {
  readonly armId: string;
  /** Part of the role assignment's name. */
  readonly name: string;
  /** Name of the resource in Azure. */
  readonly azureName: string;
  /** The shared service that the resource is in, or is. */
  readonly service?: SharedService;
}
