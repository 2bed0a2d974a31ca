// Declares mutations. Each has one argument `input`, of a type of its own, and returns a payload, also of a type of its
// own, so that both can get members later.
import type { ObjectFieldsShape, SchemaTypes } from '@pothos/core'
import { z } from 'zod'
import type { Access } from '../core/principal.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { type Enums, inputType } from './input.ts'
import type { Declaration } from './root-fields.ts'
import { runVerb, type Verb } from './verb.ts'
import { membersOf } from './zod-shape.ts'

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Types extends SchemaTypes> ? Types : never

/** The fields of a payload: the objects that changed. */
export type Payload<Result extends object> = ObjectFieldsShape<Types, Result>

type Mutation<Result extends object> = Pick<Declaration, 'errors' | 'errorsInGraphql'> & {
  description: string
  access: Access
  /** The rules of the input, which `run` parses. */
  input: z.ZodObject
  /** The description of the input. */
  takes: string
  /** GraphQL enums of members of the input whose zod enum has no GraphQL name. */
  enums?: Enums
  extensions?: Readonly<Record<string, unknown>>
  run(context: Context, input: object): Promise<Result>
  payload: Payload<Result>
}

/** Adds a mutation, with the types `<Name>Input` and `<Name>Payload`. */
export function mutation<Result extends object>(
  name: string,
  { takes, enums, payload, run, input, ...field }: Mutation<Result>,
): void {
  const typeName = name.charAt(0).toUpperCase() + name.slice(1)
  const Input = inputType(`${typeName}Input`, takes, input, enums)
  const normalized = blanksAsNull(input)
  const Payload = builder
    .objectRef<object>(`${typeName}Payload`)
    .implement({ description: `The result of \`${name}\`.`, fields: payload as Payload<object> })
  builder.mutationField(name, t =>
    t.field({
      ...field,
      type: Payload,
      args: { input: t.arg({ type: Input, required: true }) },
      input: z.object({ input }),
      resolve: (_, args, context) => run(context, normalized(args.input)),
    }),
  )
}

/** Returns the part of a mutation that performs this verb. */
export const performs = <Input extends z.ZodObject, Result, Prepared>(verb: Verb<Input, Result, Prepared>) => ({
  access: verb.access,
  input: verb.input,
  run: (context: Context, input: object) => runVerb(context, verb, input),
})

/** Returns a function that makes each empty text of an optional member null: clients of forms send it for "unset". */
export function blanksAsNull(rules: z.ZodObject): (input: unknown) => object {
  // An amount that is empty was forgotten: it must not stand for the whole amount.
  const optional = membersOf(rules).flatMap(({ key, shape, optional }) =>
    optional && !(shape?.kind === 'scalar' && shape.name === 'Decimal') ? [key] : [],
  )
  return input =>
    Object.fromEntries(
      Object.entries(input as object).map(([name, value]) => [
        name,
        value === '' && optional.includes(name) ? null : value,
      ]),
    )
}
