using System.Reflection;
using BufferedMessages.Wire;

namespace BufferedMessages.TestKit;

/// <summary>Uses generated code of a loaded assembly, whose types a test does not know when it is compiled.</summary>
public static class GeneratedSource
{
    /// <summary>The schema of a source type.</summary>
    public static MessageSchema Schema(Assembly assembly, string typeName) =>
        (MessageSchema)Block(assembly.GetType(typeName, throwOnError: true)!).GetProperty(nameof(Schema))!.GetValue(null)!;

    /// <summary>Calculates the size of an object and writes it to a new array of that size, which was filled with garbage.</summary>
    public static byte[] Write(object source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return (byte[])Generic(nameof(WriteCore), source.GetType()).Invoke(null, BindingFlags.DoNotWrapExceptions, binder: null, [source], culture: null)!;
    }

    /// <summary>Copies a message into a new object, with the steps of the view's <c>ToX()</c>: reflection cannot hold a view.</summary>
    public static object Read(Type type, byte[] message)
    {
        ArgumentNullException.ThrowIfNull(type);
        return Generic(nameof(ReadCore), type, Block(type)).Invoke(null, BindingFlags.DoNotWrapExceptions, binder: null, [message], culture: null)!;
    }

    /// <summary>Writes an object and reads it again.</summary>
    public static object RoundTrip(object source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return Read(source.GetType(), Write(source));
    }

    private static Type Block(Type source) => source.GetNestedType("BufferedBlock", BindingFlags.Public | BindingFlags.DeclaredOnly)!;

    private static MethodInfo Generic(string name, params Type[] types) =>
        typeof(GeneratedSource).GetMethod(name, BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(types);

    private static byte[] WriteCore<T>(T source)
        where T : IBufferedMessageSource<T>
    {
        var bytes = new byte[source.CalculateSize()];
        bytes.AsSpan().Fill(0xA5);
        return source.Write(bytes) == bytes.Length ? bytes : throw new InvalidOperationException("The size differs from the bytes written.");
    }

    private static object ReadCore<TSource, TBlock>(byte[] message)
        where TBlock : IReadableBlock<TSource>
        => ObjectReader.Read<TSource, TBlock>(BlockReader.OfMessage(message))!;
}
