import type { ReactNode } from "react";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { Button } from "./button.tsx";

interface SearchFormProps {
  onSearch: () => void;
  onClear: () => void;
  children: ReactNode;
}

/** Filters of a list, with buttons to apply and clear them. */
export function SearchForm({ onSearch, onClear, children }: SearchFormProps) {
  const text = useSharedText();
  return (
    <form
      role="search"
      className="grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch();
      }}
    >
      {children}
      <div className="flex gap-2">
        <Button type="submit">{text.search}</Button>
        <Button onClick={onClear}>{text.clear}</Button>
      </div>
    </form>
  );
}
