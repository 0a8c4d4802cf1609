import { IConstruct } from 'constructs';
import type { KindFilter } from './kind-filter';
import { addLayer } from './layers';

/** Characters that Azure refuses in the name of a tag. */
const REFUSED = /[<>%&\\?/]/;

/** Azure tags for all resources at and below a construct whose kind takes tags. */
export class Tags {
  /**
   * @param scope an app, a chart, a resource or any other construct
   */
  public static of(scope: IConstruct): Tags {
    return new Tags(scope);
  }

  private constructor(private readonly scope: IConstruct) {}

  /**
   * Adds a tag. The resource's own `tags` win, then the tags of the nearest scope, then the tag added last. Tag names are case-insensitive,
   * as in Azure.
   * @param key name of the tag
   * @param value its value
   * @param filter the kinds to which it applies; default: all
   * @throws when Azure would refuse the name or the value
   */
  public add(key: string, value: string, filter: KindFilter = {}): void {
    const where = `[${this.scope.node.path}] Tags.add:`;
    if (typeof key !== 'string' || key.trim() === '' || key.length > 512 || REFUSED.test(key)) {
      throw new Error(`${where} '${key}' is not the name of a tag. Give 1 to 512 characters, none of them one of < > % & \\ ? /.`);
    }
    if (typeof value !== 'string' || value.length > 256) {
      throw new Error(`${where} the value of '${key}' has to be a text of at most 256 characters.`);
    }
    addLayer(this.scope, { topic: 'tag', value: { key, value }, filter, dataOnly: false });
  }
}
