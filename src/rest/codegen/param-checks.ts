// Checks of one variable: its place must be able to carry its type, and its default must agree with the argument's.
import { valueFromASTUntyped } from 'graphql'
import type { InputType } from '../route.ts'
import type { Report } from './mistakes.ts'
import type { ParamPlan } from './param-plan.ts'
import { defaultOf } from './usages.ts'

const inText = (type: InputType): boolean =>
  type.kind === 'scalar' || type.kind === 'enum' || (type.kind === 'list' && type.of.kind !== 'list' && inText(type.of))

/** Reports a type that cannot be written outside the body. */
export function checkType({ in: place, type, variable, node }: ParamPlan, method: string, report: Report): void {
  if (place === 'body') return
  if (!inText(type)) {
    const bodiless = place === 'query' && (method === 'GET' || method === 'DELETE')
    const what = `an input object or nested list ($${variable}) cannot be in the ${place}.`
    report(node, bodiless ? `A ${method} has no body, and ${what}` : `A${what.slice(1)}`)
  } else if (place !== 'query' && type.kind === 'list') {
    report(node, `A list ($${variable}) cannot be in the ${place}.`)
  }
}

/** Reports a variable that is required, or has a default, in contradiction to the argument it feeds. */
export function checkDefault({ in: place, variable, node, required, usages }: ParamPlan, report: Report): void {
  const preset = node.defaultValue
  if (place === 'path' && !required) {
    report(node, `$${variable} is in the path, so it is always given: its type ends with "!" and has no default.`)
    return
  }
  for (const { definition } of usages) {
    const own = defaultOf(definition)
    if (own === undefined) continue
    const written = JSON.stringify(own)
    if (required) report(node, `The argument has a default (${written}), so $${variable} must not be required.`)
    else if (preset && JSON.stringify(valueFromASTUntyped(preset)) !== written) {
      report(preset, `The argument's own default is ${written}; $${variable} must not have another.`)
    }
  }
}

/** Reports misplaced and duplicate older names. An older name is an additional member of the body. */
export function checkOlderNames(params: readonly ParamPlan[], report: Report): void {
  for (const { olderName, in: place, whole, node } of params) {
    if (olderName === undefined) continue
    if (place !== 'body' || whole) report(node, '@olderName is for a variable that is a member of the body.')
    const namesakes = params.filter(other => other.name === olderName || other.olderName === olderName)
    if (namesakes.length > 1 || namesakes[0]?.name === olderName)
      report(node, `Another variable has the name ${olderName}.`)
  }
}
