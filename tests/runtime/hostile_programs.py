"""What hostile programs do: loops, depth, growth, escapes and leaks, as `hostile` wraps and places them."""

# What each does. ME is the player at hand, BIG a great number, N a small one. It is one or several statements.
LOOPS = """
while True:~    pass
for a in range(BIG):~    pass
for a in range(BIG):~    for b in range(BIG):~        c = a * b
a = [b for b in range(BIG)]
a = {b: c for b in range(BIG) for c in range(BIG)}
a = sum(b for b in range(BIG))
a = max(range(BIG), key=lambda b: -b)
a = [1]~for b in a:~    a.append(b)
a = sorted(range(BIG))
a = any(map(lambda b: False, range(BIG)))
a = [*range(BIG), *range(BIG)]
a = dict(zip(range(BIG), range(BIG)))
while (a := 1):~    b = a
a = 'x' * 300000~while a in a + 'y':~    pass
a = 'x' * 300000~while a.count('x'):~    pass
a = 'x' * 300000~while True:~    a.find('xy' * N)
a = 'ab' * 150000~while True:~    a.replace('ab', 'ba')
a = 'a b ' * 90000~while True:~    a.split(' ')
a = 'ab' * 150000~while a == 'ab' * 150000:~    pass
a = tuple(range(100000))~while a == tuple(range(100000)):~    pass
a = tuple(range(100000))~while hash(a) or True:~    pass
a = [0] * 300000~while True:~    a.sort()
a = [0] * 300000~while True:~    a.pop(0)
a = [0] * 300000~while True:~    a.insert(0, 1)
a = [0] * 300000~while True:~    a.reverse()
a = [0] * 300000~while True:~    b, *c = a
a = list(range(300000))~while True:~    a[:] = a[::-1]
a = 2 ** 4000~while True:~    a * a % 7
a = 2 ** 4000~while True:~    str(a)
a = 10 ** 1200~while True:~    int(str(a))
a = 2 ** 4000~while True:~    pow(a, a, a + 1)
a = {b: b for b in range(10000)}~while True:~    {**a}
a = {b: b for b in range(10000)}~while True:~    sorted(a.items())
a = ()~for b in range(200):~    a = (a, a)~a == a
a = ()~for b in range(24):~    a = (a, a)~c = ()~for b in range(24):~    c = (c, c)~a == c
a = ()~for b in range(60):~    a = (a,) * 20~put(ME, 'several', a)
a = ()~for b in range(60):~    a = (a, a)~sorted([a, a])
a = ()~for b in range(60):~    a = (a, a)~fact('x', y=a)
a = ()~for b in range(60):~    a = (a, a)~at(now() + 9, 'ring', who=ME, depth=a)
a = ()~for b in range(60):~    a = (a, a)~tell(None, f'{a!r:>10}')
a = []~a.append(a)~tell(None, str(a))
a = []~a.append(a)~put(ME, 'several', tuple(a))
a = []~a.append(a)~b = []~b.append(b)~a == b
a = {}~a['x'] = a~fact('x', y=a)
for a in players():~    for b in players():~        for c in range(BIG):~            value('nothing', a)
""".strip().splitlines()
DEPTH = """
def f(n):~    return f(n + 1)~f(0)
def f(n):~    return f(n - 1) + f(n - 1) if n else 1~f(60)
f = lambda g: g(g)~f(f)
def f(*a, **b):~    return f(*a, *a, **b)~f(1)
def f(a):~    return sorted([1, 2], key=f)~f(0)
def f(a):~    return max([1, 2], key=lambda b: f(b))~f(0)
def f(a):~    return [f(b) for b in (a, a)]~f(0)
def f():~    try:~        f()~    finally:~        f()~f()
def f(n):~    yield from f(n + 1)~list(f(0))
def f(a, b=lambda c: c(c)):~    return b(b)~f(1)
do('go', who=ME)
do('ring', who=ME)
do('work', who=ME)
value('v', ME)
change_rulebook([{'amend': '9.1', 'text': 'x'}])
run_once("run_once('x = 1')")
run_once('run_once(' + repr('run_once(1)') + ')')
enact('9.N', text='x', code="do('go', who=1)")
""".strip().splitlines()
GROWTH = """
a = 'x'~while True:~    a = a + a
a = 'x'~while True:~    a = f'{a}{a}'
a = 'x'~while True:~    a = a.join((a, a))
a = 'x' * BIG
a = [0] * BIG
a = (None,) * BIG
a = 'x'.center(BIG)
a = f'{1:>{BIG}}'
a = '%*d' % (BIG, 1)
a = '{:>{}}'.format(1, BIG)
a = 'x'.expandtabs(BIG)
a = ('\\t' * 1000).expandtabs(1000000)
a = '\\u0130' * 300000~a = a.lower().upper().casefold().title().swapcase()
a = ('x' * 300000).encode()
a = 'x'.translate({120: 'y' * BIG})
a = ('x' * 600).translate({120: 'y' * 300000})
a = 10 ** BIG
a = 1 << BIG
a = pow(7, BIG)
a = int('9' * 300000)
a = int('9' * 4000) ** 30
a = 1~while True:~    a = a * 3 - 1
a = -1 >> BIG
a = round(7, -BIG)
a = divmod(10 ** 4000, 3)
a = [0]~while True:~    a += a
a = [0]~while True:~    a.extend(a)
a = {}~while True:~    a[len(a)] = 'x' * 100000
a = []~while True:~    a.append([0] * 100000)
a = []~while True:~    a.append('x' * 300000 + str(len(a)))
a = []~for b in range(100000):~    a.append(lambda: b)
put(ME, 'word', 'x' * 199000)~for a in range(100):~    put(create('token', word='y' * 190000), 'word', 'z' * 190000)
while True:~    put(ME, 'several', ('x' * 3000,) * 30)
while True:~    create('token')
for a in range(1999):~    create('token', id=f'{a}' * 12)
while True:~    at(now() + 1, 'ring', who=ME)
for a in range(990):~    at(now(), 'ring', who=ME)
at(now(), 'ring', who=ME, depth='x' * 199000)
while True:~    tell(None, 'x' * 19000)
while True:~    fact('x', y='z' * 1000)
for a in range(15000):~    fact('x')
for a in range(190):~    enact(f'9.{a + 10}', text='x' * 90000)
while True:~    ask(ME, 'x' * 1000, ('a', 'b'), 'ring', by=now() + 9)
ask(ME, 'Well?', tuple([str(a) for a in range(100000)]), 'ring', by=now() + 9)
import json~a = json.loads('[' * 100000)
import json~a = json.loads('[' * 900 + ']' * 900)~while True:~    a = json.loads(json.dumps([a, a]))
import re~re.match('(a+)+$', 'a' * 40 + 'b')
import re~re.sub('(x*)*y', '', 'x' * 5000)
import re~re.compile('(?:' * 3000 + ')' * 3000)
import re~re.compile('a{99999}{99999}')
a = __import__('re').match('(a|a)*$', 'a' * 60 + 'b')
""".strip().splitlines()
ESCAPES = """
put(ME, 'word', str(().__class__.__bases__[0].__subclasses__()))
put(ME, 'word', '{0.__class__.__mro__}'.format(()))
put(ME, 'word', '{0.__globals__}'.format(put))
put(ME, 'word', '{a.__init__.__globals__}'.format_map({'a': ME}))
put(ME, 'word', str.format('{0.trail}', e))
put(ME, 'word', f'{put.__globals__}')
put(ME, 'word', f'{e.__dict__!r}')
put(ME, 'word', str(put))
put(ME, 'word', repr(lambda: 0))
put(ME, 'word', repr(e))
put(ME, 'word', str(chance))
put(ME, 'word', str(chance.hidden))
put(ME, 'word', str(type(e)))
put(ME, 'word', str(id(e)))
put(ME, 'word', str(hash('a')))
put(ME, 'word', str({1, 'a', 2, 'b', 'c'}))
put(ME, 'word', str(globals()))
put(ME, 'word', str(locals()))
put(ME, 'word', str(dir()))
put(ME, 'word', str(vars()))
put(ME, 'word', str(world))
put(ME, 'word', str(world.things))
put(ME, 'word', str(world.entropy))
world.things['Ann'].money = 99
world.exhausted = None~world.made = -BIG
put(ME, 'word', str(__budget_step))
__budget_step = lambda *a: None~while True:~    pass
globals()['LEFT'] = BIG~while True:~    pass
LEFT = BIG~begin_budget()~while True:~    pass
begin_budget()
global LEFT~LEFT = BIG~while True:~    pass
put(ME, 'word', open('FILE').read())
put(ME, 'word', str(open('/proc/self/environ', 'rb').read()))
open('TOUCH', 'w').write('x')
from pathlib import Path~put(ME, 'word', Path('FILE').read_text())
from pathlib import Path~Path('TOUCH').write_text('x')
import os~put(ME, 'word', str(os.environ))
import os~put(ME, 'word', os.getenv('HOSTILE_SECRET'))
import os~os.system('touch TOUCH')
import subprocess~subprocess.run(['touch', 'TOUCH'])
import sys~put(ME, 'word', str(sys.modules))
import sys~sys.exit(0)
import sys~sys.setrecursionlimit(10 ** 6)
import socket~socket.create_connection(('127.0.0.1', 1))
import ctypes~ctypes.string_at(0)
import time~time.sleep(30)
import time~put(ME, 'word', str(time.time()))
import datetime~put(ME, 'word', str(datetime.datetime.now()))
import random~put(ME, 'money', random.randrange(1000))
import asyncio~asyncio.run(None)
import typing~typing.get_type_hints(go)
import math~put(ME, 'money', int(math.sqrt(2) * 10 ** 9))
import gc~put(ME, 'word', str(gc.get_objects()))
import builtins~builtins.len = lambda a: 7
import inspect~put(ME, 'word', str(inspect.stack()))
exec('import os')
eval('__import__("os").system("touch TOUCH")')
compile('1', 'x', 'eval')
getattr(put, '__glo' + 'bals__')
setattr(ME, 'money', 99)
type('A', (), {})().x
breakpoint()
exit()
raise SystemExit(0)
raise KeyboardInterrupt
raise MemoryError
raise RecursionError
raise TimeoutError
raise FileExistsError('no')
raise GeneratorExit
raise BaseExceptionGroup('x', [KeyError(1)])
assert False, HANDWORD
print('x' * 10000)
input()
async def f():~    await f()~f()
async def f():~    pass~f()
def f():~    a = yield 1~for b in f():~    pass
class A:~    money = 7~    def __eq__(self, other):~        return True~put(ME, 'money', A())
class A:~    while True:~        pass
class A(str):~    pass~put(ME, 'word', A('x'))
a = lambda: (yield)~list(a())
with open('FILE') as a:~    put(ME, 'word', a.read())
del put
match ME:~    case object(__class__=a):~        put(ME, 'word', str(a))
match ME:~    case a if a.__dict__:~        put(ME, 'word', str(a))
match [1] * 100000:~    case [1, *a, 1]:~        put(ME, 'several', tuple(a[:3]))
ME.money = 99
ME.id = 'Ben'
ME.kind = 'game'
for ME.money in (1, 99):~    pass
[0 for ME.money in (1, 99)]
ME.several = [1]~ME.several.append(2)
put(ME, '__class__', 7)
put(ME, '__dict__', 7)
put(ME, 'id', 'Ben')
put(ME, 'kind', 'game')
put(thing('game'), 'paused', False)
put(thing('game'), 'over', True)
put(ME, 'hand', 7)
create('player', id='Eve')
create('game')
create('kernel')
create('token', id='Ann')
create('token', id='__class__')
create('token', id='../../../etc/passwd')
destroy(ME)
destroy(thing('Ben'))
note(rule='kernel', who='Ben', amount=9)
note(by='Ben', do='work', n=1)
fact('ruled', rule='kernel', by='Admin', depth=0)
fact('paid', rule='1.2', who='Ben', amount=9)
fact('x', only=('Ben', 'nobody', 7))
do('work', who=thing('Ben'))
do('leave-game', who=thing('Ben'))
do('pause')
do('grant', thing=ME, attribute='money', value=99)
carry_out(thing('Ben'), 'work')
carry_out(thing('Ben'), 'leave-game')
carry_out('Admin', 'grant', thing=ME, attribute='money', value=99)
pause('for ever')
resume()
suspend('1.2', True)
repeal('1.2')
repeal('0.1')
amend('1.2', code='')
enact('1.2', text='x', code='while True: pass')
enact('kernel', text='x')
enact('0', text='x', code='@check("*")\\ndef f(e):\\n    return "no"')
enact('9.7', text='x', code='def f(:')
enact('9.7', text='x', code='(' * 20000)
enact('9.7', text='x', code='@check("*")\\ndef f(e):\\n    while True:\\n        pass')
run_once('chance' + '.seen = 1')
run_once('SEEN = []')
cancel('emergency-closes')
cancel('ring')
for a in every('player'):~    put(a, 'money', -BIG)
for a in every('token'):~    destroy(a)
chance.die = lambda *a: 6
chance.hidden.die(6).real
chance._secret
chance.die(True)
chance.die('6')
chance.sample(players(), -1)
chance.dice((6,) * 100000)
chance.hidden.card(())
put = lambda *a: None~put(ME, 'money', 9)
e.who = thing('Ben')~put(e.who, 'money', 99)
e.trail.append(7)
e.rule = 'kernel'
e.name = 'work'
rule.N = 7
go.seen = 1
len.x = 1
""".strip().splitlines()
REFUSING = ("refuse(HANDWORD)", "thing(HANDWORD)")
# What would show a hand in a message that others read; it is never published with a verb.
LEAKS = """
{}[HANDWORD]
int(HANDWORD)
refuse(HANDWORD)
raise ValueError(HANDWORD)
assert False, HANDWORD
thing(HANDWORD)
put(ME, HANDWORD, 1)
put(ME, 'money', HANDWORD)
put(HANDWORD, 'money', 1)
do(HANDWORD)
value(HANDWORD)
at(HANDWORD, 'ring')
at(now() + 1, HANDWORD)
create(HANDWORD)
enact(HANDWORD, text='x', code='(')
repeal(HANDWORD)
amend(HANDWORD, text='x')
run_once(HANDWORD)
run_once('{}[' + repr(HANDWORD) + ']')
carry_out(ME, HANDWORD)
cancel(HANDWORD)
chance.die(HANDWORD)
ME.some.thing[HANDWORD]
'%d' % HANDWORD
[].index(HANDWORD)
HANDWORD.join(7)
go(HANDWORD, HANDWORD)
go(**{HANDWORD: 1})
pause(1 // (len(HANDWORD) - 20))
tell(HANDWORD, 'x')
ask(ME, 'x', (HANDWORD,), 'no-such', by=1)
match HANDWORD:~    case a:~        1 // (a == 7)
chance.die(6)~refuse(HANDWORD)
chance.die(6)~{}[HANDWORD]
""".strip().splitlines()
CORES = [
    *(("leak", each) for each in LEAKS),
    *(("escape", each) for each in ESCAPES),
    *(("growth", each) for each in GROWTH),
    *(("depth", each) for each in DEPTH),
    *(("loop", each) for each in LOOPS),
]


# whole programs, which no site fits
def nested(open: str, close: str, many: int) -> str:
    return f"x = {open * many}1{close * many}\n"


WHOLE = [
    lambda n: nested("(", ")", n),
    lambda n: nested("[", "]", n),
    lambda n: nested("-", "", n),
    lambda n: nested("not ", "", n),
    lambda n: nested("lambda: ", "", n // 10),
    lambda n: nested("{1: ", "}", n),
    lambda n: "x = " + " + ".join(["1"] * n) + "\n",
    lambda n: "x = " + " if 1 else ".join(["1"] * n) + "\n",
    lambda n: "x = 1" + ".real" * n + "\n",
    lambda n: "x = 1" + "()" * n + "\n",
    lambda n: "x = 1" + "[0]" * n + "\n",
    lambda n: "x = " + "9" * n * 20 + "\n",
    lambda n: "x = '" + "y" * n * 20 + "'\n",
    lambda n: "x = f'" + "{1}" * n + "'\n",
    lambda n: "x = " + "f'{" * min(n, 60) + "1" + "}'" * min(n, 60) + "\n",
    lambda n: "".join(f"def f{k}():\n    pass\n" for k in range(n)),
    lambda n: "".join(f"attribute('player', 'a{k}', 0)\n" for k in range(n)),
    lambda n: "".join(f"event('e{k}')\n" for k in range(n)),
    lambda n: "".join(f"@action('a{k}')\ndef a{k}(e):\n    pass\n" for k in range(n)),
    lambda n: "".join(f"@check('*')\ndef a{k}(e):\n    pass\n" for k in range(n)),
    lambda n: "".join(f"{' ' * k}if 1:\n" for k in range(min(n, 2000))) + " " * 2000 + "pass\n",
    lambda n: "def f(" + ", ".join(f"a{k}" for k in range(n)) + "):\n    pass\n",
    lambda n: "@" + "twice" * n + "\ndef f(e):\n    pass\n",
    lambda n: "\\\n" * n,
    lambda n: ";" * n,
    lambda n: "#" + "\u202e" * n,
    lambda n: "x = '''" + "\n" * n,
    lambda n: "\x0c" * n + "x = 1\n",
    lambda n: "\t" * n + "x = 1\n",
    lambda n: "x = '\ud800'\n",
    lambda n: "x\x00 = 1\n",
    lambda n: "match 1:\n" + "".join(f"    case {k}:\n        pass\n" for k in range(n)),
    lambda n: "match 1:\n    case " + "[" * min(n, 3000) + "]" * min(n, 3000) + ":\n        pass\n",
    lambda n: "x = " + " and ".join(["(1 or 0)"] * n) + "\n",
    lambda n: "x = 1 < " + " < ".join(["2"] * n) + "\n",
    lambda n: "x = lambda " + ", ".join(f"a{k}=[]" for k in range(n)) + ": 0\n",
    lambda n: "a = b = " + " = ".join(f"c{k}" for k in range(n)) + " = 1\n",
    lambda n: "x = 1 if " + "(y := " * min(n, 3000) + "1" + ")" * min(n, 3000) + " else 0\n",
    lambda n: "def f(x: " + "[" * min(n, 3000) + "]" * min(n, 3000) + "):\n    pass\n",
    lambda n: "try:\n    1\n" + "".join(f"except E{k}:\n    1\n" for k in range(n)),
]
