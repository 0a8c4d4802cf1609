import type { ResourceIds } from './resource-ids';
import type { ObjectId } from '../../src/object-id';

/**
 * Tells which objects a resource that is no longer in Azure concerns: its other objects, where one of them was deleted with it, and those
 * of what lay in it. They are Ready, so nothing else but their next sync would look at them.
 * @see https://github.com/hashicorp/terraform-provider-azurerm/issues/14497 what lay in a topic is missing after the topic was made again
 * @see https://github.com/hashicorp/terraform-provider-azurerm/issues/4710 the same
 */
export class LostResources {
  private listener?: (key: ObjectId) => void;

  public constructor(private readonly ids: ResourceIds) {}

  /** Registers the listener for objects to look at. */
  public onConcerned(listener: (key: ObjectId) => void): void {
    this.listener = listener;
  }

  /** An object is gone, whose deletion may have deleted its resource. */
  public deletedWithObject(armId: string): void {
    this.tell(this.ids.of(armId));
  }

  /** A read has not found a resource that was there. */
  public notFound(armId: string): void {
    this.tell(this.ids.below(armId));
  }

  private tell(keys: readonly ObjectId[]): void {
    for (const key of keys) this.listener?.(key);
  }
}
