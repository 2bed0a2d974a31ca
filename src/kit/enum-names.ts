// Makes two schemas of one: values of enums have names in upper case in GraphQL, and those that the service stores in
// the schema behind the REST API. A resolver gets and returns the stored values in either. Some fields are only there.
import SchemaBuilder, {
  BasePlugin,
  type PothosInputFieldConfig,
  type PothosInputFieldType,
  type PothosOutputFieldConfig,
  type PothosOutputFieldType,
  type PothosTypeConfig,
  type SchemaTypes,
} from '@pothos/core'
import { enumNameOf } from '../core/enum-name.ts'

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

/** In the extensions of an enum: its values are named as they are stored in GraphQL too. */
export const asStored = { namedAsStored: true }
/**
 * In the extensions of an enum: for the REST API its values are any text, because they contain dots or may become more.
 */
export const textInRest = { textInRest: true }

/** In the extensions of a value of an enum: its name in the REST API, where that has another name for the same. */
export const inRest = (name: string) => ({ nameInRest: name })

/**
 * In the extensions of a field or argument: it is only in the schema behind the REST API, whose answers are older than
 * the shape that GraphQL has for the same.
 */
export const restOnly = { restOnly: true }

/** Returns the values of an enum with their descriptions. */
export const described = <Word extends string>(texts: Readonly<Record<Word, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([word, description]) => [word, { description }])) as Record<
    Word,
    { description: string }
  >

class EnumNamesPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onTypeConfig(config: PothosTypeConfig): PothosTypeConfig {
    if (config.kind !== 'Enum') return config
    const isUpper = this.options.enumNames === 'upper case' && !config.extensions?.namedAsStored
    const declared = typeof config.values === 'function' ? config.values() : config.values
    if (!declared) return config
    const values = Object.entries(declared).map(([key, value]) => [
      isUpper ? enumNameOf(key) : String(value?.extensions?.nameInRest ?? key).replace(/\W/g, '_'),
      { value: key, ...value },
    ])
    return { ...config, values: Object.fromEntries(values) }
  }

  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> | null {
    if (this.isLeftOut(config)) return null
    return this.options.enumNames === 'stored' ? { ...config, type: this.outputText(config.type) } : config
  }

  override onInputFieldConfig(config: PothosInputFieldConfig<Types>): PothosInputFieldConfig<Types> | null {
    if (this.isLeftOut(config)) return null
    return this.options.enumNames === 'stored' ? { ...config, type: this.inputText(config.type) } : config
  }

  private isLeftOut = ({
    extensions,
  }: {
    extensions?: Readonly<Record<string, unknown>> | null | undefined
  }): boolean => extensions?.restOnly === true && this.options.enumNames !== 'stored'

  private outputText(type: PothosOutputFieldType<Types>): PothosOutputFieldType<Types> {
    if (type.kind === 'List') return { ...type, type: this.outputText(type.type) }
    return type.kind === 'Enum' && this.isText(type.ref) ? { ...type, kind: 'Scalar', ref: 'String' } : type
  }

  private inputText(type: PothosInputFieldType<Types>): PothosInputFieldType<Types> {
    if (type.kind === 'List') return { ...type, type: this.inputText(type.type) }
    return type.kind === 'Enum' && this.isText(type.ref) ? { ...type, kind: 'Scalar', ref: 'String' } : type
  }

  private isText = (ref: Parameters<typeof this.builder.configStore.getTypeConfig>[0]): boolean =>
    this.builder.configStore.getTypeConfig(ref).extensions?.textInRest === true
}

SchemaBuilder.registerPlugin('enumNames', EnumNamesPlugin)
