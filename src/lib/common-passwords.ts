/**
 * Passwords of eight or more characters that top every published list of leaked ones, so guessing
 * tries them first.
 */
const COMMON: ReadonlySet<string> = new Set(
  `00000000 000000000 0000000000 01234567 0123456789 0987654321 11111111 111111111 1111111111
  11223344 1122334455 12121212 12312312 123123123 1231231234 123321123 12341234 1234512345 123454321
  12345678 123456789 1234567890 12345678910 123456789a 123456789q 12345678a 1234567a 1234abcd
  1234qwer 123654789 123qweasd 123qweasdzxc 12qwaszx 13131313 147258369 159753456 1q2w3e4r
  1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 20202020 22222222 31415926 33333333
  44444444 55555555 66666666 741852963 77777777 789456123 87654321 88888888 963852741 987654321
  9876543210 99999999 999999999 a1234567 a12345678 a123456789 a1b2c3d4 aa123456 aa12345678 aaaaaaaa
  abc12345 abc123456 abcd1234 abcd12345 abcdefgh abcdefghi access14 admin123 admin1234 admin12345
  administrator adminadmin alexander asdasdasd asdf1234 asdfasdf asdfghjk asdfghjkl asdfghjkl1
  babygirl babygirl1 barcelona baseball baseball1 basketball blink182 butterfly caroline changeme
  changeme1 changeme123 charlie1 chelsea1 chocolate christian computer corvette danielle dearbook
  december dragon12 einstein elephant evolution explorer facebook firebird flower12 football
  football1 fuckyou1 fuckyou2 garfield gfhjkmgfhjkm greenday hardcore hello123 hello1234 helloworld
  iloveyou iloveyou1 iloveyou2 iloveyou! infinity internet isabella jennifer jessica1 jonathan
  jordan23 kimberly letmein1 letmein123 liverpool lovelove lovely123 manchester marlboro master12
  master123 maverick mercedes michael1 michelle midnight minecraft monkey12 monkey123 mustang1
  myspace1 nicholas nintendo november p@ssw0rd p@ssword pa$$word pa55word passpass passw0rd
  passw0rd1 password password! password0 password01 password1 password1! password11 password12
  password123 password1234 password12345 password2 password3 patricia pokemon1 portugal precious
  princess princess1 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 qazwsxedc qazwsxedcrfv qweasdzxc qweqweqwe
  qwer1234 qwerasdf qwert123 qwertyui qwertyuiop qwertyuiop123 qwerty12 qwerty123 qwerty1234
  qwerty12345 qwerty123456 qwertyqwerty rockyou1 salasana samantha samsung1 sandra12
  scorpion september sexygirl shadow12 sister12 skywalker slipknot snowball soccer12 spiderman
  starwars starwars1 steelers summer12 sunshine sunshine1 superman superman1 superstar swordfish
  target123 test1234 test12345 testtest thailand trustno1 twilight undertaker valentina vanessa1
  victoria warcraft welcome1 welcome12 welcome123 whatever whatever1 william1 wolverine xbox360x
  yankees1 zaq12wsx zaq1zaq1 zaqxswcde zxcvbnm1 zxcvbnm123 zxcvzxcv passwort passwort1 passwort123
  hallo123 hallo1234 qwertzui qwertzuiop qwertz123 schalke04 sommer123 willkommen ficken123
  motdepasse azertyuiop azerty123 azerty1234 contraseña contrasena`.split(/\s+/),
);

/** Returns true for one of the most common passwords, ignoring case. */
export const isCommonPassword = (password: string): boolean => COMMON.has(password.toLowerCase());
