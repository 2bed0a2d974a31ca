// Stands for @tanstack/react-virtual. Headless UI needs it for lists with the option `virtual`, which GraphiQL does not
// use.
export function useVirtualizer() {
  throw new Error('This page has no virtual lists.')
}
