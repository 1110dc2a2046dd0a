using System.Globalization;

namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <content>Unions.</content>
internal sealed partial class ArbitraryProgram
{
    private const int UnionsPerEvolution = 2;

    private readonly List<ArbitraryUnion> _unions = [];

    private void WriteUnion(int index)
    {
        var number = index.ToString(CultureInfo.InvariantCulture);
        var union = NextUnion("U" + number);
        Write(union);
        union.WriteCase(_text);
        if (index % UnionsPerEvolution == 0)
        {
            var firstCase = union.Numbers.FindIndex(static type => type is not null);
            var older = union.Older(_random.Next(firstCase, union.Numbers.Count) + 1, (least, most) => _random.Next(least, most + 1));
            Write(older);
            older.WriteNewerCase(_text, union);
            union.WritePair(_text, older);
            union.WriteEvolutionCase(_text, older);
            WriteHolders("H" + number, union, older);
        }
    }

    private void Write(ArbitraryUnion union)
    {
        union.WriteDeclaration(_text);
        union.WriteCode(_text);
    }

    // A message with a union in every place, and the same message with an older union in them.
    private void WriteHolders(string name, ArbitraryUnion union, ArbitraryUnion older)
    {
        var newHolder = Holder(name, new UnionKind(union));
        var oldHolder = Holder(name + "Old", new UnionKind(older));
        foreach (var holder in new[] { newHolder, oldHolder })
        {
            holder.WriteDeclaration(_text);
            holder.WriteCode(_text);
        }

        newHolder.WriteCase(_text);
        oldHolder.WriteNewerCase(_text, newHolder);
        newHolder.WritePair(
            _text,
            oldHolder,
            Holder(name, new UnionKind(union, $"{union.Name}Pair.AssertOldView({{0}}, {{1}}, unknown);")).Members,
            Holder(name, new UnionKind(older, $"{union.Name}Pair.AssertNewView({{0}}, {{1}});")).Members);
        newHolder.WriteEvolutionCase(_text, oldHolder);
    }

    private static ArbitraryType Holder(string name, UnionKind union)
    {
        var holder = new ArbitraryType(name, "partial class", IsStruct: false, IsPositional: false, MaxLevel) { HasWriter = true };
        ArbitraryKind[] kinds =
        [
            union, new ListKind(union, "List"), new DictionaryKind(new KeyKind(Value: null), union, "Dictionary"), new ListKind(new ListKind(union, "[]"), "[]"),
            new DictionaryKind(new KeyKind(Scalar("short", isChecked: false)), new ListKind(union, "List"), "SortedDictionary"), Scalar("int", isChecked: false),
        ];
        holder.Members.AddRange(kinds.Select((kind, index) => new ArbitraryMember($"M{index.ToString(CultureInfo.InvariantCulture)}", kind, Styles[0])));
        return holder;
    }

    private ArbitraryUnion NextUnion(string name)
    {
        var (declaration, prefix) = _random.Next(3) switch
        {
            0 => ("abstract partial class", ""),
            1 => ("abstract partial record", ""),
            _ => ("partial interface", "I"),
        };
        var union = new ArbitraryUnion(prefix + name, declaration, level: _random.Next(1, MaxLevel));
        if (!union.IsInterface)
        {
            var root = new ArbitraryType(union.Name, declaration, IsStruct: true, IsPositional: false, union.Level) { Members = union.Members, Union = union };
            AddMembers(root, _random.Next(3));
        }

        for (var cases = _random.Next(1, 5); cases > 0; cases--)
        {
            if (_random.Next(6) == 0)
            {
                union.Numbers.Add(null);
            }

            union.Numbers.Add(NextCase(union, $"{name}C{union.Numbers.Count.ToString(CultureInfo.InvariantCulture)}"));
        }

        _types.AddRange(union.Numbers.OfType<ArbitraryType>());
        _unions.Add(union);
        return union;
    }

    private ArbitraryType NextCase(ArbitraryUnion union, string name)
    {
        var (declaration, isStruct, isPositional) = union switch
        {
            { IsInterface: true } => NextDeclaration(),
            { IsRecord: true } => (_random.Next(2) == 0 ? "partial record" : "sealed partial record", false, false),
            _ => (_random.Next(2) == 0 ? "partial class" : "sealed partial class", false, false),
        };
        var others = union.Numbers.OfType<ArbitraryType>().Where(other => other is { IsStruct: false, IsPositional: false } && other.Declaration == declaration && !declaration.StartsWith("sealed", StringComparison.Ordinal));
        var parent = _random.Next(3) == 0 ? others.LastOrDefault() : null;
        var inherited = parent?.Members ?? union.Members;
        var type = new ArbitraryType(name, declaration, isStruct, isPositional, union.Level)
        {
            Union = union,
            Base = parent?.Name ?? union.Name,
            InheritedMembers = inherited.Count,
            Members = [.. inherited],
            HasWriter = NextHasWriter(),
        };
        AddMembers(type, _random.Next(1, 6));
        return type;
    }

    // Now and then the union that the type is a case of, or one that is smaller.
    private ArbitraryUnion? NextUnionIn(ArbitraryType owner)
    {
        if (owner.Union is { } own && _random.Next(3) == 0)
        {
            return own;
        }

        var smaller = _unions.Where(union => union.Level < owner.Level).ToList();
        return smaller.Count != 0 && _random.Next(3) == 0 ? Pick(smaller) : null;
    }
}
