import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import type { SocialBlock, SocialLink } from "../blocks/model.ts";
import { useBlockText } from "./use-block-text.ts";
import { AlignField, UrlField } from "./common-fields.tsx";

/** Names that a link is likely to have. */
const NETWORKS = [
  "Instagram",
  "Facebook",
  "LinkedIn",
  "YouTube",
  "TikTok",
  "X",
  "Bluesky",
  "Mastodon",
];

interface SocialFieldsProps {
  block: SocialBlock;
  onChange: (block: SocialBlock) => void;
}

/** The links of a block of social links, each with its name. */
export function SocialFields({ block, onChange }: SocialFieldsProps) {
  return (
    <>
      <SocialLinks links={block.links} onChange={(links) => onChange({ ...block, links })} />
      <AlignField align={block.align} onChange={(align) => onChange({ ...block, align })} />
    </>
  );
}

interface SocialLinksProps {
  links: SocialLink[];
  onChange: (links: SocialLink[]) => void;
}

/** Social links, each with its name. */
export function SocialLinks({ links, onChange: setLinks }: SocialLinksProps) {
  const text = useBlockText();
  const used = new Set(links.map(({ label }) => label));
  return (
    <>
      <datalist id="social-networks">
        {NETWORKS.filter((name) => !used.has(name)).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {links.map((link, index) => (
        <fieldset key={index} className="flex flex-col gap-2 border-b border-line pb-3">
          <legend className="sr-only">{text.socialLink(index + 1)}</legend>
          <TextField
            label={text.socialName}
            list="social-networks"
            value={link.label}
            maxLength={100}
            onChange={({ target }) => setLinks(links.with(index, { ...link, label: target.value }))}
          />
          <UrlField
            label={text.linkUrl}
            value={link.url}
            onChange={(url) => setLinks(links.with(index, { ...link, url }))}
          />
          <Button
            look="quiet"
            className="self-start"
            onClick={() => setLinks(links.toSpliced(index, 1))}
          >
            {text.removeLink}
          </Button>
        </fieldset>
      ))}
      <Button className="self-start" onClick={() => setLinks([...links, { label: "", url: "" }])}>
        {text.addLink}
      </Button>
    </>
  );
}
