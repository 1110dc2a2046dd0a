using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using BufferedMessages.Generator.Model;
using BufferedMessages.Generator.Parsing;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Tests;

/// <summary>The computed layout of structs is the one that the CLR gives them.</summary>
public sealed class StructLayoutTests
{
    private const string Structs =
        """
        using System.Runtime.CompilerServices;
        using System.Runtime.InteropServices;

        public enum Small : byte { A }
        public struct OneByte { public byte A; }
        public struct ByteInt { public byte A; public int B; }
        public struct IntByte { public int A; public byte B; }
        public struct ByteLongByte { public byte A; public long B; public byte C; }
        public struct Mixed { public bool A; public char B; public Half C; public float D; public double E; public short F; public Small G; public TimeSpan H; }
        public struct WithGuid { public byte A; public Guid B; public byte C; }
        public struct OnlyGuid { public Guid A; }
        public struct WithInt128 { public byte A; public Int128 B; public byte C; }
        public struct WithUInt128 { public UInt128 A; public long B; }
        public struct Nested { public byte A; public ByteInt B; public short C; public OnlyGuid D; }
        public struct NestedTwice { public short A; public Nested B; public byte C; }
        public struct Empty;
        public struct WithEmpty { public Empty A; public int B; }
        public record struct Positional(byte A, long B, short C);
        public struct AutoProperties { public byte A { get; set; } public int B { get; set; } private long _c; public long C => _c; }
        public struct Generic<T> where T : unmanaged { public byte A; public T B; }
        public struct WithGeneric { public Generic<short> A; public Generic<double> B; }
        [StructLayout(LayoutKind.Sequential, Pack = 1)] public struct Packed1 { public byte A; public long B; public int C; }
        [StructLayout(LayoutKind.Sequential, Pack = 2)] public struct Packed2 { public byte A; public long B; public byte C; }
        [StructLayout(LayoutKind.Sequential, Pack = 4)] public struct Packed4 { public byte A; public Guid B; public double C; public byte D; }
        [StructLayout(LayoutKind.Sequential, Pack = 8)] public struct Packed8Int128 { public byte A; public Int128 B; }
        public struct WithPacked { public byte A; public Packed1 B; public Packed4 C; }
        [StructLayout(LayoutKind.Sequential, Size = 32)] public struct Sized { public int A; public short B; }
        [StructLayout(LayoutKind.Sequential, Size = 2)] public struct SizedTooSmall { public int A; public short B; public short C; }
        [StructLayout(LayoutKind.Explicit)] public struct Explicit { [FieldOffset(4)] public int A; [FieldOffset(0)] public short B; [FieldOffset(16)] public long C; }
        [StructLayout(LayoutKind.Explicit, Pack = 1)] public struct ExplicitPacked { [FieldOffset(1)] public int A; [FieldOffset(0)] public byte B; }
        [StructLayout(LayoutKind.Explicit, Size = 24)] public struct ExplicitSized { [FieldOffset(8)] public long A; }
        public struct WithExplicit { public byte A; public Explicit B; }
        public unsafe struct Buffered { public byte A; public fixed int B[3]; public byte C; public fixed bool D[5]; }
        [StructLayout(LayoutKind.Sequential, Pack = 1)] public unsafe struct BufferedPacked { public byte A; public fixed long B[2]; }
        [InlineArray(5)] public struct FiveBytes { private byte _first; }
        [StructLayout(LayoutKind.Sequential, Pack = 4)] public struct PackedLong { public long A; }
        [InlineArray(3)] public struct ThreePacked { private PackedLong _first; }
        [InlineArray(3)] public struct ThreeGuids { private Guid _first; }
        [InlineArray(3)] public struct ThreePadded { private ByteInt _first; }
        [InlineArray(2)] public struct TwoOfThreePadded { private ThreePadded _first; }
        [InlineArray(2)] public struct TwoBuffered { private Buffered _first; }
        public struct WithInlineArrays { public byte A; public TwoOfThreePadded B; public FiveBytes C; public ThreeGuids D; public TwoBuffered E; }
        """;

    private static readonly SourceProject Project = SourceProject.Of(Structs);
    private static readonly Assembly Loaded = Project.Generate().Load();

    public static TheoryData<string> StructNames => [.. Loaded.GetTypes()
        .Where(static type => type is { IsValueType: true, IsEnum: false, IsGenericTypeDefinition: false, Namespace: null } && !type.Name.StartsWith('<'))
        .Select(static type => type.Name)];

    [Theory]
    [MemberData(nameof(StructNames))]
    public void Size_alignment_and_padding_are_those_of_the_runtime(string name) =>
        CompareWithRuntime(Parse(Project.Compilation, name), Loaded.GetType(name, throwOnError: true)!);

    [Theory]
    [MemberData(nameof(StructNames))]
    public void A_struct_of_another_assembly_is_laid_out_from_its_metadata(string name)
    {
        var project = SourceProject.Of(
            [new SourceFile("Empty.cs", "")],
            new ProjectOptions { AssemblyName = "Other" },
            MetadataReference.CreateFromImage(Project.Generate().Emit()));

        CompareWithRuntime(Parse(project.Compilation, name), Loaded.GetType(name, throwOnError: true)!);
    }

    [Theory]
    [InlineData("public struct S { public nint A; }", "pointer or a native integer")]
    [InlineData("public unsafe struct S { public int* A; }", "pointer or a native integer")]
    [InlineData("public struct S { public DateTime A; }", "datetime")]
    [InlineData("public struct S { public DateTimeOffset A; }", "datetimeoffset")]
    [InlineData("public struct S { public decimal A; }", "decimal")]
    [InlineData("public struct S { public DateOnly A; }", "dateonly")]
    [InlineData("public struct S { public TimeOnly A; }", "timeonly")]
    [InlineData("public struct S { public int? A; }", "is nullable")]
    [InlineData("public struct S { public (int, int) A; }", "automatic layout")]
    [InlineData("public struct S { public System.Text.Rune A; }", "'Rune' of the framework protects its fields, and a view could return values that it never has; store its Value")]
    [InlineData("public struct S { public Index A; }", "'Index' of the framework protects its fields, and a view could return values that it never has; store its parts")]
    [InlineData("public struct S { public KeyValuePair<int, int> A; }", "'KeyValuePair' of the framework protects its fields")]
    [InlineData("public struct S { public System.Numerics.Complex A; }", "'Complex' of the framework protects its fields")]
    [InlineData("public struct S { public System.Runtime.Intrinsics.Vector128<int> A; }", "'Vector128' of the framework protects its fields")]
    [InlineData("public struct S { public System.Numerics.Vector3 A; public System.Numerics.Matrix4x4 B; }", "", false)]
    [InlineData("public struct S { public int A; private int _dummyValue; }", "", false)]
    [InlineData("[System.Runtime.CompilerServices.InlineArray(4)] public struct S { private decimal _a; }", "decimal")]
    [InlineData("[System.Runtime.CompilerServices.InlineArray(4)] public struct S { private nint _a; }", "native integer")]
    [InlineData("[System.Runtime.CompilerServices.InlineArray(16384)] public struct S { private int _a; }", "65535")]
    [InlineData("public unsafe struct S { public fixed long A[8192]; }", "65535")]
    [InlineData("[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Auto)] public struct S { public int A; }", "automatic layout")]
    [InlineData("[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Sequential, Size = 5)] public struct S { public int A; }", "multiple of its alignment")]
    [InlineData("[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Sequential, Size = 70000)] public struct S { public byte A; }", "65535")]
    [InlineData(
        "[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Explicit)] public struct S { [System.Runtime.InteropServices.FieldOffset(0)] public int A; [System.Runtime.InteropServices.FieldOffset(2)] public int B; }",
        "overlap")]
    [InlineData("public struct S { public Node<int> A; } public struct Node<T> { public Node<Node<T>> Next; public T Value; }", "more than 64 deep")]
    [InlineData("public struct S(int a) { public readonly int A => a; }", "primary constructor")]
    [InlineData("public partial struct S(int a) { public int A = a; } public partial struct S { public readonly int Twice() => 2 * a; }", "primary constructor")]
    [InlineData("public partial struct S(int a) { public int A = a; } public partial struct S { public readonly int Twice() => 2 * A; }", "", false)]
    public void A_type_without_a_stable_layout_is_refused(string source, string reason, bool isRefused = true)
    {
        var result = new KindParser(SourceProject.Of(source).Compilation).Parse(Type(SourceProject.Of(source).Compilation, "S"));

        Assert.Equal(isRefused ? Rules.UnstableLayout : null, result.Rule);
        Assert.True(!isRefused || result.Reason!.Contains(reason, StringComparison.Ordinal), result.Reason);
    }

    [Theory]
    [InlineData("Buffered", "struct(24;0:u8,4:i32[3],16:u8,17:bool[5])")]
    [InlineData("FiveBytes", "struct(5;0:u8[5])")]
    [InlineData("ThreePacked", "struct(24;0:struct(8/4;0:i64)[3])")]
    [InlineData("TwoOfThreePadded", "struct(48;0:struct(24;0:struct(8;0:u8,4:i32)[3])[2])")]
    public void Arrays_in_structs_have_a_field_of_their_own_in_the_schema(string name, string schema) =>
        Assert.Equal(schema, Parse(Project.Compilation, name).Schema);

    private static void CompareWithRuntime(ValueKind kind, Type type)
    {
        Assert.Equal(Invoke<int>(nameof(SizeOf), type), kind.Size);
        Assert.Equal(Invoke<int>(nameof(AlignmentOf), type), kind.Alignment);
        Assert.Equal(PaddingByFilling(type), kind.Padding);
    }

    private static ValueKind Parse(Compilation compilation, string name) =>
        Assert.IsType<ValueKind>(new KindParser(compilation).Parse(Type(compilation, name)).Kind);

    private static INamedTypeSymbol Type(Compilation compilation, string name) => compilation.GetTypeByMetadataName(name)!;

    // Fills every field with ones; the bytes that stay zero are padding.
    private static List<ushort> PaddingByFilling(Type type)
    {
        var bytes = Bytes(Filled(type));
        var padding = new List<ushort>();
        for (var i = 0; i < bytes.Length; i++)
        {
            if (bytes[i] != 0)
            {
                continue;
            }

            if (i == 0 || bytes[i - 1] != 0)
            {
                padding.AddRange([(ushort)i, 0]);
            }

            padding[^1]++;
        }

        return padding;
    }

    private static object Filled(Type type)
    {
        if (type.IsPrimitive || type.IsEnum || type.Namespace == "System" || type.IsDefined(typeof(UnsafeValueTypeAttribute)))
        {
            return Invoke<object>(nameof(AllOnes), type);
        }

        if (type.GetCustomAttribute<InlineArrayAttribute>() is { } array)
        {
            return Invoke<object>(nameof(Repeated), type, Bytes(Filled(Assert.Single(Fields(type)).FieldType)), array.Length);
        }

        var value = RuntimeHelpers.GetUninitializedObject(type);
        foreach (var field in Fields(type))
        {
            field.SetValue(value, Filled(field.FieldType));
        }

        return value;
    }

    private static FieldInfo[] Fields(Type type) => type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic);

    private static byte[] Bytes(object value) => Invoke<byte[]>(nameof(BytesOf), value.GetType(), value);

    private static T Invoke<T>(string method, Type type, params object[] arguments) =>
        (T)typeof(StructLayoutTests).GetMethod(method, BindingFlags.Static | BindingFlags.NonPublic)!.MakeGenericMethod(type).Invoke(null, arguments)!;

    private static int SizeOf<T>() => Unsafe.SizeOf<T>();

    // The same computation as the runtime's WireValue.AlignmentOf.
    private static int AlignmentOf<T>() => Math.Min(8, Unsafe.SizeOf<Probe<T>>() - Unsafe.SizeOf<T>());

    private static byte[] BytesOf<T>(T value)
        where T : unmanaged
        => MemoryMarshal.AsBytes(new ReadOnlySpan<T>(in value)).ToArray();

    private static object Repeated<T>(byte[] element, int count)
        where T : unmanaged
        => MemoryMarshal.Read<T>([.. Enumerable.Repeat(element, count).SelectMany(static bytes => bytes)]);

    private static object AllOnes<T>()
        where T : unmanaged
    {
        var value = default(T);
        MemoryMarshal.AsBytes(new Span<T>(ref value)).Fill(typeof(T) == typeof(bool) ? (byte)1 : byte.MaxValue);
        return value;
    }

    private readonly struct Probe<T>(byte first, T value)
    {
        public readonly byte First = first;
        public readonly T Value = value;
    }
}
