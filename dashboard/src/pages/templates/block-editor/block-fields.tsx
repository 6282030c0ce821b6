import { CheckField, SelectField, TextArea, TextField } from "../../../ui/field.tsx";
import { TEXT_SIZES, type LeafBlock } from "../blocks/model.ts";
import { safeImageUrl } from "../blocks/variables.ts";
import { InsertVariable } from "../editor/insert-variable.tsx";
import type { Variable } from "../preview/use-audience.ts";
import { useTemplatesText } from "../use-templates-text.ts";
import { useBlockText } from "./use-block-text.ts";
import { AlignField, ChoiceField, UrlField } from "./common-fields.tsx";
import { ChooseImage } from "./choose-image.tsx";
import { SocialFields } from "./social-fields.tsx";
import { TextEditor } from "./text-editor.tsx";
import { withImage } from "./with-image.ts";

const LEVELS = [0, 1, 2, 3] as const;

interface BlockFieldsProps {
  block: LeafBlock;
  variables: Variable[];
  onChange: (block: LeafBlock) => void;
}

export function BlockFields({ block, variables, onChange }: BlockFieldsProps) {
  const text = useBlockText();
  const shared = useTemplatesText();
  switch (block.type) {
    case "heading":
      return (
        <>
          <TextField
            label={text.headingText}
            value={block.text}
            maxLength={1_000}
            onChange={(event) => onChange({ ...block, text: event.target.value })}
          />
          <div className="grid gap-3 @sm:grid-cols-3">
            <SelectField
              label={text.level}
              value={String(block.level)}
              onChange={(event) => {
                const level = LEVELS.find((one) => `${one}` === event.target.value);
                if (level !== undefined) onChange({ ...block, level });
              }}
            >
              {LEVELS.map((level) => (
                <option key={level} value={level}>
                  {text.levels[level]}
                </option>
              ))}
            </SelectField>
            <AlignField align={block.align} onChange={(align) => onChange({ ...block, align })} />
            <div className="flex items-end">
              <InsertVariable
                variables={variables}
                onInsert={(expression) => onChange({ ...block, text: block.text + expression })}
              />
            </div>
          </div>
        </>
      );
    case "text":
      return (
        <>
          <TextEditor
            label={text.blockNames.text}
            initial={block.paragraphs}
            variables={variables}
            onChange={(paragraphs) => onChange({ ...block, paragraphs })}
          />
          <div className="grid gap-3 @sm:grid-cols-2">
            <ChoiceField
              label={text.level}
              none={text.textSizes.normal}
              names={text.textSizes}
              choices={TEXT_SIZES}
              value={block.size}
              onChange={(size) => onChange({ ...block, size })}
            />
            <AlignField align={block.align} onChange={(align) => onChange({ ...block, align })} />
          </div>
        </>
      );
    case "button":
      return (
        <>
          <TextField
            label={text.buttonLabel}
            value={block.label}
            maxLength={1_000}
            onChange={(event) => onChange({ ...block, label: event.target.value })}
          />
          <UrlField
            label={text.linkUrl}
            value={block.url}
            onChange={(url) => onChange({ ...block, url })}
          />
          <AlignField align={block.align} onChange={(align) => onChange({ ...block, align })} />
          <CheckField
            label={text.outlined}
            checked={block.isOutlined === true}
            onChange={({ target }) =>
              onChange({ ...block, isOutlined: target.checked || undefined })
            }
          />
        </>
      );
    case "image":
      return (
        <>
          <ChooseImage onChoose={(image) => onChange(withImage(block, image))} />
          <TextField
            label={shared.imageUrl}
            hint={shared.imageUrlHint}
            value={block.src}
            maxLength={2_000}
            error={block.src !== "" && !safeImageUrl(block.src) ? shared.badImageUrl : undefined}
            onChange={(event) => onChange({ ...block, src: event.target.value })}
          />
          <TextField
            label={shared.imageAlt}
            hint={shared.imageAltHint}
            value={block.alt}
            maxLength={1_000}
            onChange={(event) => onChange({ ...block, alt: event.target.value })}
          />
          <UrlField
            label={shared.imageLink}
            value={block.url}
            onChange={(url) => onChange({ ...block, url })}
          />
          <div className="grid gap-3 @sm:grid-cols-2">
            <SelectField
              label={shared.imageWidth}
              value={block.width}
              onChange={(event) => onChange({ ...block, width: Number(event.target.value) })}
            >
              {[...new Set([25, 50, 75, 100, block.width])]
                .toSorted((a, b) => a - b)
                .map((width) => (
                  <option key={width} value={width}>
                    {width}%
                  </option>
                ))}
            </SelectField>
            <AlignField align={block.align} onChange={(align) => onChange({ ...block, align })} />
          </div>
          <CheckField
            label={text.wide}
            hint={text.wideHint}
            checked={block.isWide === true}
            onChange={({ target }) => onChange({ ...block, isWide: target.checked || undefined })}
          />
        </>
      );
    case "spacer":
      return (
        <SelectField
          label={text.spacerHeight}
          value={block.height}
          onChange={(event) => onChange({ ...block, height: Number(event.target.value) })}
        >
          {[...new Set([8, 16, 32, 48, 64, block.height])]
            .toSorted((a, b) => a - b)
            .map((height) => (
              <option key={height} value={height}>
                {height} px
              </option>
            ))}
        </SelectField>
      );
    case "quote":
      return (
        <>
          <TextArea
            label={text.blockNames.quote}
            rows={3}
            value={block.text}
            onChange={(event) => onChange({ ...block, text: event.target.value })}
          />
          <TextField
            label={text.quoteBy}
            isOptional
            value={block.by}
            maxLength={1_000}
            onChange={(event) => onChange({ ...block, by: event.target.value })}
          />
        </>
      );
    case "social":
      return <SocialFields block={block} onChange={onChange} />;
    case "html":
      return (
        <TextArea
          label={text.blockNames.html}
          hint={text.htmlHint}
          rows={6}
          spellCheck={false}
          className="font-mono"
          value={block.html}
          onChange={(event) => onChange({ ...block, html: event.target.value })}
        />
      );
    case "divider":
      return <p className="text-sm text-muted">{text.dividerWords}</p>;
    case "footer":
      return (
        <>
          <TextArea
            label={text.footerText}
            hint={text.footerHint}
            rows={3}
            value={block.text}
            onChange={(event) => onChange({ ...block, text: event.target.value })}
          />
          <TextField
            label={text.viewLabel}
            hint={text.viewHint}
            isOptional
            value={block.view ?? ""}
            maxLength={1_000}
            onChange={({ target }) => onChange({ ...block, view: target.value || undefined })}
          />
          <TextField
            label={text.leaveLabel}
            value={block.leave}
            maxLength={1_000}
            onChange={(event) => onChange({ ...block, leave: event.target.value })}
          />
        </>
      );
  }
}
