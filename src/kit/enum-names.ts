// Gives the values of enums their names: in upper case in GraphQL, as the service stores them in the REST API. A
// resolver gets and returns the stored values in either schema.
import SchemaBuilder, { BasePlugin, type PothosTypeConfig, type SchemaTypes } from '@pothos/core'

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      enumNames: EnumNamesPlugin<Types>
    }
    export interface BuildSchemaOptions<Types extends SchemaTypes> {
      enumNames?: 'upper case' | 'stored'
    }
  }
}

/** `awaiting_anchor` is named `AWAITING_ANCHOR`. */
export const enumNameOf = (value: string): string => value.toUpperCase().replace(/\W/g, '_')

class EnumNamesPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onTypeConfig(config: PothosTypeConfig): PothosTypeConfig {
    if (config.kind !== 'Enum' || this.options.enumNames !== 'upper case') return config
    const given = typeof config.values === 'function' ? config.values() : config.values
    if (!given) return config
    const values = Object.entries(given).map(([key, value]) => [enumNameOf(key), { value: key, ...value }])
    return { ...config, values: Object.fromEntries(values) }
  }
}

SchemaBuilder.registerPlugin('enumNames', EnumNamesPlugin)
