// Marks the settings that contain secrets: each can be read from a file, and is never printed.
import { z } from 'zod'

/** `whole`: nothing of the value may be printed. `url`: nothing but its scheme, host, port and user. */
type Secrecy = { secrecy: 'whole' | 'url' }

const marks = z.registry<Secrecy>()

/** Marks a setting whose whole value is secret. Last of all: a type that is made from a marked one is not marked. */
export const secret = <Type extends z.ZodType>(type: Type): Type => mark(type, 'whole')
/** Marks a setting of URLs, which may contain passwords or keys of an API. Last of all, as `secret`. */
export const secretUrl = <Type extends z.ZodType>(type: Type): Type => mark(type, 'url')

function mark<Type extends z.ZodType>(type: Type, secrecy: Secrecy['secrecy']): Type {
  // A copy, because several settings may share the type.
  const marked = type.clone()
  marks.add(marked, { secrecy })
  return marked
}

/** Null: the value may be printed. */
export const secrecyOf = (type: z.ZodType): Secrecy['secrecy'] | null => marks.get(type)?.secrecy ?? null
