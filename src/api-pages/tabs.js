// Stands for framer-motion, from which GraphiQL takes only the list of its tabs: without dragging, and a sixth of the
// page smaller.
import { createElement, forwardRef } from 'react'

const plain = element =>
  forwardRef(({ value, values, axis, onReorder, ...rest }, ref) => createElement(element, { ...rest, ref }))

export const Reorder = { Group: plain('ul'), Item: plain('li') }
