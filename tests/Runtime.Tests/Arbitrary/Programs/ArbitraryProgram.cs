using System.Globalization;

namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>Makes the text of a program with random types and the code that checks them.</summary>
internal sealed partial class ArbitraryProgram
{
    private const int EnumCount = 8;
    private const int StructCount = 24;
    private const int MaxLevel = 4;
    private const int TypesPerEvolution = 3;
    private const int UnionCount = 30;
    private const int TypesPerUnion = 3;

    private static readonly string[] Plain =
    [
        "byte", "sbyte", "short", "ushort", "char", "int", "uint", "long", "ulong", "Half", "float", "double", "Int128", "UInt128", "Guid", "TimeSpan",
    ];

    private static readonly string[] Checked = ["bool", "decimal", "DateTime", "DateTimeOffset", "DateOnly", "TimeOnly"];
    private static readonly string[] Underlying = ["byte", "sbyte", "short", "ushort", "int", "uint", "long", "ulong"];
    private static readonly string[] Binaries = ["byte[]?", "byte[]?", "Memory<byte>", "ReadOnlyMemory<byte>", "ReadOnlyMemory<byte>?", "ImmutableArray<byte>", "ArraySegment<byte>"];
    private static readonly string[] Sequences =
    [
        "IList", "ICollection", "IReadOnlyList", "IReadOnlyCollection", "IEnumerable", "ImmutableList", "Queue", "Stack", "LinkedList", "Collection",
        "ReadOnlyCollection", "ObservableCollection",
    ];

    private static readonly string[] InOnePiece = ["[]", "[]", "List", "List", "ArraySegment", "ImmutableArray", "Memory", "ReadOnlyMemory"];
    private static readonly string[] PlainKeys =
        ["byte", "sbyte", "short", "ushort", "char", "int", "uint", "long", "ulong", "Int128", "UInt128", "Guid", "TimeSpan", "bool", "DateOnly"];

    private static readonly string[] DictionaryShapes =
    [
        "Dictionary", "Dictionary", "IDictionary", "IReadOnlyDictionary", "SortedDictionary", "ConcurrentDictionary", "ImmutableDictionary",
        "ImmutableSortedDictionary", "FrozenDictionary",
    ];

    private static readonly string[] SetShapes = ["HashSet", "HashSet", "ISet", "IReadOnlySet", "SortedSet", "ImmutableHashSet", "FrozenSet"];
    private static readonly string[] Styles =
    [
        "public {0} { get; set; }", "public {0} { get; init; }", "public required {0} { get; init; }", "public required {0} { get; set; }", "public {0};",
    ];

    private readonly Random _random;
    private readonly ProgramText _text = new();
    private readonly List<ValueKind> _enums = [];
    private readonly List<ValueKind> _structs = [];
    private readonly List<ArbitraryType> _types = [];

    private ArbitraryProgram(int seed) => _random = new Random(seed);

    /// <summary>The text of a program with so many types; the same seed gives the same text.</summary>
    public static string Make(int seed, int types)
    {
        var program = new ArbitraryProgram(seed);
        program.Write(types);
        return program._text.ToString();
    }

    private void Write(int types)
    {
        _text.Line("#nullable enable annotations");
        foreach (var name in new[] { "System", "System.Collections.Concurrent", "System.Collections.Frozen", "System.Collections.Generic", "System.Collections.Immutable", "System.Collections.ObjectModel", "System.Runtime.InteropServices", "BufferedMessages", "BufferedMessages.Runtime.Tests.Arbitrary" })
        {
            _text.Line($"using {name};");
        }

        _text.Line("namespace Arbitrary;");
        for (var i = 0; i < EnumCount; i++)
        {
            WriteEnum($"E{i}", Underlying[i % Underlying.Length]);
        }

        for (var i = 0; i < StructCount; i++)
        {
            WriteStruct($"S{i}");
        }

        foreach (var key in PlainKeys.Select(name => new KeyKind(Scalar(name, isChecked: false))).Concat(_enums.Select(value => new KeyKind(value))).Append(new KeyKind(Value: null)))
        {
            var small = Only("Leaf", key, new DictionaryKind(key, new TextKind(), Pick(DictionaryShapes)));
            var all = DictionariesBy(key, new MessageKind(small, IsNullable: true));
            Write(small);
            Write(all);
            Write(Only("Map", key, all.Members[_random.Next(all.Members.Count)].Kind));
            Write(Only("Set", key, new SetKind(key, Pick(SetShapes))));
        }

        for (var i = 0; i < types; i++)
        {
            var type = NextType($"T{i.ToString(CultureInfo.InvariantCulture)}");
            Write(type);
            if (i % TypesPerEvolution == 0)
            {
                var older = type.Older(_random.Next(1, type.Members.Count + 1));
                older.WriteDeclaration(_text);
                older.WriteCode(_text);
                type.WritePair(_text, older);
                type.WriteEvolutionCase(_text, older);
            }

            if (i % TypesPerUnion == 0 && i / TypesPerUnion < UnionCount)
            {
                WriteUnion(i / TypesPerUnion);
            }
        }
    }

    private void Write(ArbitraryType type)
    {
        type.WriteDeclaration(_text);
        type.WriteCode(_text);
        type.WriteCase(_text);
    }

    // Messages that are small although they have buckets.
    private static ArbitraryType Only(string prefix, KeyKind key, ArbitraryKind kind)
    {
        var type = new ArbitraryType(prefix + key.Type, "partial class", IsStruct: false, IsPositional: false, Level: 1);
        type.Members.Add(new ArbitraryMember("M0", kind, Styles[0]));
        return type;
    }

    // Values of every kind, with keys of one kind.
    private ArbitraryType DictionariesBy(KeyKind key, MessageKind message)
    {
        var type = new ArbitraryType("By" + key.Type, "partial class", IsStruct: false, IsPositional: false, Level: 2);
        ArbitraryKind[] values =
        [
            Scalar("int", isChecked: false), .. Checked.Select(name => Scalar(name, isChecked: true)), Pick(_enums), Pick(_structs),
            new NullableKind(Scalar("Int128", isChecked: false)), new NullableKind(Scalar("decimal", isChecked: true)), new NullableKind(Pick(_structs)),
            new TextKind(), new BinaryKind("byte[]?"), message,
            new TupleKind([("Name", new TextKind()), ("Item2", new NullableKind(Pick(_structs)))], IsPair: false, IsNullable: false),
            new ListKind(new TextKind(), "List"), new ListKind(Scalar("short", isChecked: false), "[]"), new ListKind(message, "ImmutableArray"),
            new DictionaryKind(key, new TextKind(), "Dictionary"), new SetKind(key, "HashSet"),
        ];
        foreach (var value in values)
        {
            var name = $"M{type.Members.Count.ToString(CultureInfo.InvariantCulture)}";
            type.Members.Add(new ArbitraryMember(name, new DictionaryKind(key, value, "Dictionary"), Styles[0]));
        }

        return type;
    }

    private void WriteEnum(string name, string underlying)
    {
        _text.Line($"public enum {name} : {underlying} {{ Zero, One, Two }}");
        _enums.Add(Scalar(name, isChecked: false));
    }

    private void WriteStruct(string name)
    {
        var makes = new List<string>();
        if (_random.Next(4) == 0)
        {
            _text.Line($"[StructLayout(LayoutKind.Sequential, Pack = {1 << _random.Next(4)})]");
        }

        _text.Block($"public record struct {name}", () =>
        {
            for (var i = _random.Next(1, 6); i > 0; i--)
            {
                var field = _random.Next(6) switch
                {
                    0 => Scalar("bool", isChecked: true),
                    1 => Pick(_enums),
                    2 when _structs.Count > 0 => Pick(_structs),
                    _ => NextPlain(),
                };
                _text.Line($"public {field.Name} F{i};");
                makes.Add($"F{i} = {field.Make(_text)}");
            }
        });
        _structs.Add(new ValueKind(name, $"new {name} {{ {string.Join(", ", makes)} }}", IsChecked: false));
    }

    private ArbitraryType NextType(string name)
    {
        var (declaration, isStruct, isPositional) = NextDeclaration();
        var type = new ArbitraryType(name, declaration, isStruct, isPositional, Level: _random.Next(1, MaxLevel + 1)) { HasWriter = NextHasWriter() };
        AddMembers(type, _random.Next(10) == 0 ? _random.Next(12, 40) : _random.Next(1, 12));
        _types.Add(type);
        return type;
    }

    private (string Declaration, bool IsStruct, bool IsPositional) NextDeclaration() => _random.Next(8) switch
    {
        0 => ("partial struct", true, false),
        1 => ("partial record struct", true, false),
        2 => ("readonly partial record struct", true, true),
        3 => ("partial record", false, true),
        4 => ("sealed partial record class", false, false),
        _ => ("partial class", false, false),
    };

    private bool NextHasWriter() => _random.Next(3) != 0;

    private void AddMembers(ArbitraryType type, int count)
    {
        for (; count > 0; count--)
        {
            var name = $"M{type.Members.Count.ToString(CultureInfo.InvariantCulture)}";
            type.Members.Add(new ArbitraryMember(name, NextKind(type, nesting: 0), Pick(Styles)));
        }
    }

    private ArbitraryKind NextKind(ArbitraryType owner, int nesting) => _random.Next(21) switch
    {
        < 5 => NextValue(),
        < 8 => new NullableKind(NextValue()),
        < 11 => new TextKind(),
        < 13 => new BinaryKind(nesting == 0 ? Pick(Binaries) : "byte[]?"),
        < 15 => NextMessage(owner),
        15 when nesting < 3 => NextTuple(owner, nesting),
        _ => nesting < 3 ? NextCollection(owner, nesting) : NextValue(),
    };

    private TupleKind NextTuple(ArbitraryType owner, int nesting)
    {
        var isPair = _random.Next(3) == 0;
        var count = isPair ? 2 : _random.Next(2, 11);
        var items = Enumerable.Range(1, count).Select(i =>
        {
            var name = isPair ? i == 1 ? "Key" : "Value" : _random.Next(3) == 0 ? $"Item{i}" : $"M{i}";
            return (name, NextKind(owner, nesting + 2));
        });
        return new TupleKind([.. items], isPair, _random.Next(3) == 0);
    }

    private ArbitraryKind NextCollection(ArbitraryType owner, int nesting) => _random.Next(5) switch
    {
        0 => new SetKind(NextKey(), Pick(SetShapes)),
        < 3 => new DictionaryKind(NextKey(), NextKind(owner, nesting + 1), Pick(DictionaryShapes)),
        _ => NextList(owner, nesting),
    };

    private KeyKind NextKey() => _random.Next(4) switch
    {
        0 => new KeyKind(Pick(_enums)),
        1 => new KeyKind(Scalar(Pick(PlainKeys), isChecked: false)),
        _ => new KeyKind(Value: null),
    };

    private ListKind NextList(ArbitraryType owner, int nesting)
    {
        var element = NextKind(owner, nesting + 1);

        // Bytes in one piece are a binary, unless they are a list.
        return new ListKind(element, element.Type == "byte" ? "List" : Pick(_random.Next(2) == 0 ? InOnePiece : Sequences));
    }

    private ArbitraryKind NextMessage(ArbitraryType owner)
    {
        if (NextUnionIn(owner) is { } union)
        {
            return new UnionKind(union);
        }

        // A record whose only parameter is of its own type would have two copy constructors.
        if (owner is { IsStruct: false, IsPositional: false } && _random.Next(4) == 0)
        {
            return new MessageKind(owner, IsNullable: true);
        }

        var smaller = _types.Where(type => type.Level < owner.Level).ToList();
        if (smaller.Count == 0)
        {
            return new TextKind();
        }

        var message = Pick(smaller);
        return new MessageKind(message, IsNullable: !message.IsStruct || _random.Next(2) == 0);
    }

    private ValueKind NextValue() => _random.Next(10) switch
    {
        0 => Pick(_enums),
        1 => Pick(_structs),
        < 5 => Scalar(Pick(Checked), isChecked: true),
        _ => NextPlain(),
    };

    private ValueKind NextPlain() => Scalar(Pick(Plain), isChecked: false);

    private static ValueKind Scalar(string name, bool isChecked) => new(name, MakeExpression: null, isChecked);

    private T Pick<T>(IReadOnlyList<T> choices) => choices[_random.Next(choices.Count)];
}
